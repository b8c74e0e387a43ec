package register

import (
	"context"
	"os"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/verify/mcpclient"
)

// other stands for every client that Cove does not know. Such a client runs what Cove tells the person to write.
const other = "other"

// CheckEntry runs the client's entry for a profile, as the client would, and counts its tools. It runs only a command
// that this app would write itself: a file may contain any.
func (m Clients) CheckEntry(ctx context.Context, name string, in api.MCPRequest) (out api.MCPCheck, err error) {
	want, err := m.program(name, in)
	if err != nil {
		return out, err
	}
	p, err := mcpclient.Probe(ctx, want, mcpclient.UsualLimits())
	out = api.MCPCheck{Connected: err == nil, Tools: p.Tools, Millis: float64(p.Elapsed.Microseconds()) / 1000}
	if err != nil {
		out.Error = strings.TrimSpace(err.Error())
	}
	return out, nil
}

// program returns the command that the client runs for a profile, in the client's environment. It leaves out what a
// person has added to the entry.
func (m Clients) program(name string, in api.MCPRequest) (p mcpclient.Program, err error) {
	if name == other {
		x := clients.Native(m.Executable, m.Home, in.Profile)
		return mcpclient.Program{Command: append([]string{x.Command}, x.Args...)}, nil
	}
	r, one, _, err := m.prepare(name, in)
	if err != nil {
		return p, err
	}
	want, err := m.entry(r, in)
	if err != nil {
		return p, err
	}
	id := in.Profile
	older := []string{"mcp", id.String()} // of the first version, for the usual data folder
	for _, s := range r.States() {
		for _, f := range s.Found {
			x := f.Entry
			if s.Client.Name != one.Name || x.Profile != in.Profile || x.Command != want.Command {
				continue
			}
			if slices.Equal(x.Args, want.Args) || (!in.Wrapper && slices.Equal(x.Args, older)) {
				env := one.Environ(r.Env, os.Environ(), clients.Entry{})
				return mcpclient.Program{Command: append([]string{x.Command}, x.Args...), Env: env}, nil
			}
		}
	}
	return p, fault.New(fault.CodeNoEntry,
		one.Title+" has no entry for profile "+id.String()+" that runs this Cove.",
		"Add it with: cove client add "+one.Name+" "+id.String())
}
