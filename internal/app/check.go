package app

import (
	"context"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/verify"
)

// other is the name of every client that Cove does not know: it runs what Cove tells a person to write into its file.
const other = "other"

// CheckEntry runs what the client's entry for a profile runs, as the client would, and counts its tools. Only a command that this
// app would write itself is run: a file may hold any.
func (m mcpClients) CheckEntry(ctx context.Context, name string, in api.MCPRequest) (out api.MCPCheck, err error) {
	want, err := m.runs(name, in)
	if err != nil {
		return out, err
	}
	p, err := verify.Probe(ctx, append([]string{want.Command}, want.Args...))
	out = api.MCPCheck{Connected: err == nil, Tools: p.Tools, Millis: float64(p.Took.Microseconds()) / 1000}
	if err != nil {
		out.Error = strings.TrimSpace(err.Error())
	}
	return out, nil
}

// runs is what the client runs for a profile.
func (m mcpClients) runs(name string, in api.MCPRequest) (want clients.Entry, err error) {
	if name == other {
		return clients.Native(m.executable, m.home, in.Profile), nil
	}
	r, one, _, err := m.prepared(name, in)
	if err != nil {
		return want, err
	}
	if want, err = m.entry(r, in); err != nil {
		return want, err
	}
	id := profile.ID(in.Profile)
	for _, s := range r.States() {
		for _, f := range s.Found {
			if s.Client.Name == one.Name && f.Entry.Profile == in.Profile && f.Entry.Command == want.Command && slices.Equal(f.Entry.Args, want.Args) {
				return want, nil
			}
		}
	}
	return want, fault.New(fault.NotFound, "E_NO_ENTRY", one.Title+" has no entry for profile "+id.String()+" that runs this Cove.",
		"Add it with: cove client add "+one.Name+" "+id.String())
}
