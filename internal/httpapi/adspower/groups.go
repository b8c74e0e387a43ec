package adspower

import (
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// group is a folder of profiles.
type group struct {
	ID     string `json:"group_id"`
	Name   string `json:"group_name"`
	Remark string `json:"remark"`
}

func showGroup(f profile.Folder) group {
	return group{ID: strconv.Itoa(int(f.ID)), Name: f.Name, Remark: f.Remark}
}

// folderID reads a group's id. 0 means none.
func (c *request) folderID() (profile.FolderID, error) {
	text, err := c.word("group_id")
	if err != nil {
		return 0, err
	}
	if text == "0" {
		return 0, nil
	}
	id, err := profile.ParseID(text)
	if err != nil {
		return 0, fault.Fieldf("group_id", "%q is not the id of a group.", input.Clip(text)).
			WithHint("/api/v1/group/list lists the groups.")
	}
	return profile.FolderID(id), nil
}

// listGroups lists the groups whose name holds a word.
func (s *Server) listGroups(c *request) (answer, error) {
	if err := c.onlyFields([]string{"group_name", "page", "page_size", "limit"}); err != nil {
		return answer{}, err
	}
	number, size, err := c.paging(10)
	if err != nil {
		return answer{}, err
	}
	word, err := c.word("group_name")
	if err != nil {
		return answer{}, err
	}
	all, err := s.Folders.List(c.Context())
	if err != nil {
		return answer{}, err
	}
	list := []group{}
	for _, f := range all {
		if strings.Contains(strings.ToLower(f.Name), strings.ToLower(word)) {
			list = append(list, showGroup(f))
		}
	}
	return answer{data: page{call.Cut(list, number, size), number, size}}, nil
}

// readGroup reads the name and the remark of a group into f, and names the fields that have no effect. A remark that is
// not sent, or null, stays as it is.
func (c *request) readGroup(f *profile.Folder) (ignored []string, err error) {
	if f.Name, err = c.word("group_name"); err != nil {
		return nil, err
	}
	if f.Name == "" {
		return nil, fault.Fieldf("group_name", "A group needs a name.").WithHint("Send group_name.")
	}
	if raw, sent := c.fields["remark"]; sent && string(raw) != "null" {
		if f.Remark, err = c.word("remark"); err != nil {
			return nil, err
		}
	}
	for field := range c.fields {
		if !slices.Contains([]string{"group_id", "group_name", "remark"}, field) {
			ignored = append(ignored, field)
		}
	}
	return input.Sorted(ignored), f.Clean()
}

func (s *Server) createGroup(c *request) (answer, error) {
	var f profile.Folder
	ignored, err := c.readGroup(&f)
	if err != nil {
		return answer{}, err
	}
	if f, err = s.Folders.Create(c.Context(), f); err != nil {
		return answer{}, err
	}
	return answer{showGroup(f), ignored}, nil
}

func (s *Server) updateGroup(c *request) (answer, error) {
	id, err := c.folderID()
	if err != nil {
		return answer{}, err
	}
	var ignored []string
	f, err := s.Folders.Update(c.Context(), id, func(f *profile.Folder) error {
		ignored, err = c.readGroup(f)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	members, err := s.Folders.Members(c.Context(), id)
	if err != nil {
		return answer{}, err
	}
	s.publish(members...)
	return answer{showGroup(f), ignored}, nil
}

// publish tells the window that profiles have changed.
func (s *Server) publish(ids ...profile.ID) {
	if len(ids) > 0 {
		s.Changes.Publish(api.ProfileEvent{IDs: ids, Change: "edited"})
	}
}

// emptyList answers a list of what Cove does not have.
func (s *Server) emptyList(c *request) (answer, error) {
	number, size, err := c.paging(10)
	return answer{data: page{[]empty{}, number, size}}, err
}
