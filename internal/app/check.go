package app

import (
	"context"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/verify"
)

// CheckEntry runs what the client's entry for a profile runs, as the client would, and counts its tools. Only a command that this
// app would write itself is run: a file may hold any.
func (m mcpClients) CheckEntry(ctx context.Context, name string, in api.MCPRequest) (out api.MCPCheck, err error) {
	r, one, _, err := m.prepared(name, in)
	if err != nil {
		return out, err
	}
	want, err := m.entry(r, in)
	if err != nil {
		return out, err
	}
	id, found := profile.ID(in.Profile), false
	for _, s := range r.States() {
		for _, f := range s.Found {
			found = found || (s.Client.Name == one.Name && f.Entry.Profile == in.Profile && f.Entry.Command == want.Command && slices.Equal(f.Entry.Args, want.Args))
		}
	}
	if !found {
		return out, fault.New(fault.NotFound, "E_NO_ENTRY", one.Title+" has no entry for profile "+id.String()+" that runs this Cove.",
			"Add it with: cove client add "+one.Name+" "+id.String())
	}
	p, err := verify.Probe(ctx, append([]string{want.Command}, want.Args...))
	out = api.MCPCheck{Connected: err == nil, Tools: p.Tools, Millis: float64(p.Took.Microseconds()) / 1000}
	if err != nil {
		out.Error = strings.TrimSpace(err.Error())
	}
	return out, nil
}
