package adspower

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// tag is a tag of profiles. Its id is its text. It exists as long as a profile has it.
type tag struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

func showTag(name string) tag { return tag{ID: name, Name: name} }

// listTags lists the tags that profiles have.
func (s *Server) listTags(c *request) (answer, error) {
	if err := c.onlyFields([]string{"ids", "page", "limit", "page_size"}); err != nil {
		return answer{}, err
	}
	number, size, err := c.paging(50)
	if err != nil {
		return answer{}, err
	}
	only, err := c.list("ids", false)
	if err != nil {
		return answer{}, err
	}
	seen := map[string]bool{}
	err = s.each(c, profile.Query{Sort: profile.ByID}, func(p profile.Profile) error {
		for _, name := range p.Tags {
			seen[name] = len(only) == 0 || slices.Contains(only, name)
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	list := []tag{}
	for name, wanted := range seen {
		if wanted {
			list = append(list, showTag(name))
		}
	}
	slices.SortFunc(list, func(a, b tag) int { return strings.Compare(a.Name, b.Name) })
	return answer{data: page{call.Cut(list, number, size), number, size}}, nil
}

// sentTag is a tag in a request.
type sentTag struct{ id, name string }

// readTags reads the tags of a request, and names what has no effect.
func (c *request) readTags() (tags []sentTag, ignored []string, err error) {
	var items []json.RawMessage
	if json.Unmarshal(c.fields["tags"], &items) != nil || len(items) == 0 {
		return nil, nil, fault.Fieldf("tags", "This call needs a list of tags.").
			WithHint(`Send {"tags":[{"name":"vip"}]}.`)
	}
	for i, raw := range items {
		item := &request{fields: map[string]json.RawMessage{}}
		var one sentTag
		if err = item.add(raw); err == nil {
			one.id, err = item.word("id")
		}
		if err == nil {
			one.name, err = item.word("name")
		}
		if err == nil && one.name != "" {
			trial := profile.Profile{Name: "trial", Tags: []string{one.name}}
			err = trial.Clean()
		}
		if err != nil {
			return nil, nil, fault.In("tags."+strconv.Itoa(i), err)
		}
		if item.says("color") {
			ignored = append(ignored, "tags.color")
		}
		tags = append(tags, one)
	}
	return tags, input.Sorted(ignored), nil
}

// createTags answers the ids of tags that profiles can be given: their texts. Nothing has to be stored for that.
func (s *Server) createTags(c *request) (answer, error) {
	tags, ignored, err := c.readTags()
	if err != nil {
		return answer{}, err
	}
	list := make([]tag, len(tags))
	for i, one := range tags {
		if one.name == "" {
			return answer{}, fault.Fieldf("tags."+strconv.Itoa(i)+".name", "A tag needs a name.")
		}
		list[i] = showTag(one.name)
	}
	return answer{map[string]any{"list": list}, ignored}, nil
}

// updateTags renames tags in every profile that has them.
func (s *Server) updateTags(c *request) (answer, error) {
	tags, ignored, err := c.readTags()
	if err != nil {
		return answer{}, err
	}
	list, names := make([]tag, len(tags)), map[string]string{}
	for i, one := range tags {
		field := "tags." + strconv.Itoa(i) + ".id"
		if one.id == "" {
			return answer{}, fault.Fieldf(field, "This call needs the id of each tag.")
		}
		if one.name == "" {
			one.name = one.id
		}
		if name, twice := names[one.id]; twice && name != one.name {
			return answer{}, fault.Fieldf(field, "The tag %q is named twice, with two new names.", input.Clip(one.id)).
				WithHint("Send each tag once.")
		}
		list[i], names[one.id] = showTag(one.name), one.name
	}
	if err := s.replaceTags(c, names); err != nil {
		return answer{}, err
	}
	return answer{map[string]any{"list": list}, ignored}, nil
}

// deleteTags takes tags away from every profile that has them.
func (s *Server) deleteTags(c *request) (answer, error) {
	ids, err := c.list("ids", false)
	if err != nil {
		return answer{}, err
	}
	if len(ids) == 0 {
		return answer{}, fault.Fieldf("ids", "This call needs the ids of tags.").WithHint(`Send {"ids":["vip"]}.`)
	}
	names := map[string]string{}
	for _, id := range ids {
		names[id] = ""
	}
	return answer{data: empty{}}, s.replaceTags(c, names)
}

// replaceTags gives tags other names in every profile, also in the trash; the name "" takes a tag away.
func (s *Server) replaceTags(c *request, names map[string]string) error {
	maps.DeleteFunc(names, func(from, to string) bool { return from == to })
	if len(names) == 0 {
		return nil
	}
	_, err := s.Profiles.ReplaceTags(c.Context(), names)
	return err
}
