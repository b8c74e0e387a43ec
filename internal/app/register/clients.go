// Package register registers profiles with the MCP clients of this computer, on behalf of the window.
package register

import (
	"context"
	"os"
	"path/filepath"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/wrapper"
)

// Clients registers profiles with MCP clients.
type Clients struct {
	Home       paths.Home
	Executable string // the program that clients run
	Port       int    // of the local API
}

func (m Clients) registry(dir string) (*clients.Registry, error) {
	env, err := clients.Here(dir)
	return &clients.Registry{Env: env, Home: m.Home}, err
}

// nowhere stands for the working folder of a person who has none: no client has entries there.
func (m Clients) nowhere() string { return string(m.Home) }

// List lists the clients and what their files have of ours.
func (m Clients) List(context.Context) ([]api.MCPClient, error) {
	r, err := m.registry(m.nowhere())
	if err != nil {
		return nil, err
	}
	list := []api.MCPClient{}
	for _, s := range r.States() {
		one := s.API()
		for _, found := range r.Skills(s.Client) {
			if found.Scope == clients.User {
				skill := found.API()
				one.Skill = &skill
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// prepare finds what a request needs: the registry, the client and the scope.
func (m Clients) prepare(name string, in api.MCPRequest) (*clients.Registry, clients.Client, clients.Scope, error) {
	one, err := clients.Find(name)
	if err != nil {
		return nil, one, "", err
	}
	dir := m.nowhere()
	if in.Folder != "" {
		if dir, err = filepath.EvalSymlinks(in.Folder); err != nil {
			return nil, one, "", fault.Fieldf("folder", "There is no folder %s.", in.Folder)
		}
	}
	r, err := m.registry(dir)
	return r, one, clients.Scope(in.Scope), err
}

// entry returns the entry that the client's file gets.
func (m Clients) entry(r *clients.Registry, in api.MCPRequest) (x clients.Entry, err error) {
	x = clients.Native(m.Executable, m.Home, in.Profile)
	if in.Wrapper {
		if x, err = m.wrapped(r.Env, in.Profile); err != nil {
			return x, err
		}
	}
	if in.Name != "" {
		x.Name = in.Name
	}
	return x, clients.CheckName(x.Name)
}

func (m Clients) wrapped(env clients.Env, id profile.ID) (x clients.Entry, err error) {
	dir, err := wrapper.DirFor(m.Home)
	if err != nil {
		return x, err
	}
	node, err := env.Node()
	return clients.Wrapped(node, filepath.Join(dir, wrapper.Name), id), err
}

// installWrapper writes the wrapper where there is none, so that one click is enough. It does not change one that
// exists.
func (m Clients) installWrapper() error {
	dir, err := wrapper.DirFor(m.Home)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, wrapper.Name)); err == nil {
		return wrapper.CheckOwner(filepath.Join(dir, wrapper.Name), m.Home)
	}
	_, _, err = wrapper.Install(dir, m.Port, m.Home, false)
	return err
}

// Add adds a profile to a client's file.
func (m Clients) Add(ctx context.Context, name string, in api.MCPRequest) (out api.MCPChanges, err error) {
	r, one, scope, err := m.prepare(name, in)
	if err != nil {
		return out, err
	}
	if scope == "" {
		scope = clients.User
	}
	x, err := m.entry(r, in)
	if err == nil && in.Wrapper && !in.DryRun {
		err = m.installWrapper()
	}
	if err != nil {
		return out, err
	}
	done, err := r.Add(ctx, one, scope, x, in.DryRun)
	return changes(done, clients.Warning(in.Profile)), err
}

// Remove removes a profile from a client's files.
func (m Clients) Remove(ctx context.Context, name string, in api.MCPRequest) (out api.MCPChanges, err error) {
	r, one, scope, err := m.prepare(name, in)
	if err != nil {
		return out, err
	}
	done, err := r.Remove(ctx, one, clients.Removal{
		Profile: in.Profile, Name: in.Name, Scope: scope, Everywhere: in.Folder == "" && scope == "",
	}, in.DryRun)
	return changes(done, ""), err
}

// Snippet returns what the person can paste into the client's file.
func (m Clients) Snippet(_ context.Context, name string, in api.MCPRequest) (out api.MCPSnippet, err error) {
	r, one, _, err := m.prepare(name, in)
	if err != nil {
		return out, err
	}
	x, err := m.entry(r, in)
	if err != nil {
		return out, err
	}
	return r.Paste(one, x), nil
}

func changes(done []clients.Change, warning string) api.MCPChanges {
	out := api.MCPChanges{Data: []api.MCPChange{}, Warning: warning}
	for _, d := range done {
		out.Data = append(out.Data, d.API())
	}
	return out
}
