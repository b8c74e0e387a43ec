package clients

import (
	"cove/api"
)

// API returns the skill as the API sends it.
func (s InstalledSkill) API() api.SkillFile {
	out := api.SkillFile{Client: s.Client.Name, Scope: string(s.Scope), Folder: s.Dir, File: s.File,
		Status: string(s.Status), Number: s.Number, Next: s.Next()}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}

	return out
}

// API returns the change as the API sends it.
func (c SkillChange) API() api.SkillChange {
	out := api.SkillChange{Client: c.Client.Name, Action: c.Action, Scope: string(c.Scope), Folder: c.Dir, File: c.File,
		Diff: c.Diff}
	if c.Action == Added || c.Action == Updated {
		out.Next = c.Client.Sandbox
	}
	for _, other := range c.Others {
		out.Others = append(out.Others, other.Name)
	}

	return out
}
