package folders

import (
	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Members answers GET /folders/{id}/profile-ids.
func (h *Handlers) Members(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	ids, err := h.Folders.Members(c.Context(), h.id(c))
	if err != nil {
		return nil, err
	}
	var out api.FolderProfiles
	out.Data.ProfileIDs = append([]profile.ID{}, ids...)
	return out, nil
}

// Attach answers POST /folders/mass/attach-profiles.
func (h *Handlers) Attach(c *call.Call) (any, error) {
	in, err := readMembers(c)
	if err != nil {
		return nil, err
	}
	if in.FolderID == 0 {
		return nil, fault.Fieldf("folderId", "Say which folder.").WithHint(`Send {"folderId":1,"profileIds":[2,3]}.`)
	}
	return h.move(c, profile.FolderID(in.FolderID), in.ProfileIDs)
}

// Detach answers DELETE /folders/mass/detach-profiles and POST /folders/mass/detach-profiles. With a folder it takes
// out only profiles that are in it.
func (h *Handlers) Detach(c *call.Call) (any, error) {
	in, err := readMembers(c)
	if err != nil {
		return nil, err
	}
	if in.FolderID == 0 {
		return h.move(c, 0, in.ProfileIDs)
	}
	if err := may(c); err != nil {
		return nil, err
	}
	members, err := h.Folders.Members(c.Context(), profile.FolderID(in.FolderID))
	if err != nil {
		return nil, err
	}
	inside := make(map[profile.ID]bool, len(members))
	for _, id := range members {
		inside[id] = true
	}
	for _, id := range in.ProfileIDs {
		if !inside[id] {
			return nil, fault.Unprocessablef("profileIds", "Profile %d is not in folder %d.", id, in.FolderID).
				WithHint("Leave it out. Nothing was changed.")
		}
	}
	return h.move(c, 0, in.ProfileIDs)
}

// readMembers reads a folder and profiles.
func readMembers(c *call.Call) (api.FolderMembers, error) {
	var in api.FolderMembers
	if err := c.Decode(&in); err != nil {
		return in, err
	}
	if len(in.ProfileIDs) == 0 || len(in.ProfileIDs) > api.MaxMass {
		return in, fault.Fieldf("profileIds", "Name 1 to %d profiles.", api.MaxMass).
			WithHint(`Send {"folderId":1,"profileIds":[2,3]}.`)
	}
	return in, nil
}

// move puts profiles into a folder, or out of theirs.
func (h *Handlers) move(c *call.Call, to profile.FolderID, ids []profile.ID) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	if err := h.Folders.Move(c.Context(), to, ids...); err != nil {
		return nil, err
	}
	h.Changed(ids...)
	return api.OK{Success: true}, nil
}
