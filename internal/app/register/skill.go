package register

import (
	"context"

	"cove/api"
	"cove/internal/clients"
)

// prepareSkill returns the registry, the client and the scope of a request about the skill.
func (m Clients) prepareSkill(
	name string, in api.SkillRequest,
) (r *clients.Registry, c clients.Client, scope clients.Scope, err error) {
	r, c, scope, err = m.prepare(name, api.MCPRequest{Scope: in.Scope, Folder: in.Folder})
	if scope == "" {
		scope = clients.User
	}

	return r, c, scope, err
}

// InstallSkill installs the skill for a client.
func (m Clients) InstallSkill(ctx context.Context, name string, in api.SkillRequest) (out api.SkillChanges, err error) {
	r, c, scope, err := m.prepareSkill(name, in)
	if err != nil {
		return out, err
	}
	change, err := r.InstallSkill(ctx, c, scope, clients.SkillOptions{Force: in.Force, Dry: in.DryRun})

	return api.SkillChanges{Data: []api.SkillChange{change.API()}}, err
}

// RemoveSkill removes the skill from a client.
func (m Clients) RemoveSkill(ctx context.Context, name string, in api.SkillRequest) (out api.SkillChanges, err error) {
	r, c, scope, err := m.prepareSkill(name, in)
	if err != nil {
		return out, err
	}
	done, err := r.RemoveSkill(ctx, c, scope, false, clients.SkillOptions{Force: in.Force, Dry: in.DryRun})
	out.Data = []api.SkillChange{}
	for _, d := range done {
		out.Data = append(out.Data, d.API())
	}

	return out, err
}
