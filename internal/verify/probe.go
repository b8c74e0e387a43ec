package verify

import (
	"context"
	"fmt"
	"time"
)

// Probed is what an MCP server answered.
type Probed struct {
	Protocol string
	Tools    int
	Took     time.Duration
}

// probeLimit is how long a server may take until it has listed its tools: as long as the most patient clients wait.
const probeLimit = 30 * time.Second

// Probe runs a server's command as a client does, counts its tools, and ends it.
func Probe(ctx context.Context, program Program) (p Probed, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	began := time.Now()
	s, err := startServer(program)
	if err != nil {
		return p, err
	}
	defer func() {
		if cerr := s.close(); err == nil {
			err = cerr
		}
	}()
	if err := s.hello(); err != nil {
		return p, s.ended()
	}
	if p.Protocol, err = s.initialize(ctx); err != nil {
		return p, err
	}
	names, err := s.tools(ctx)
	if err != nil {
		return p, err
	}
	p.Tools, p.Took = len(names), time.Since(began)
	if p.Tools == 0 {
		return p, fmt.Errorf("the server has no tools")
	}
	return p, nil
}

// hello opens the conversation.
func (s *server) hello() error {
	return s.ask("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "cove-verify", "version": "1"}})
}

// initialize waits for the answer to hello and tells the protocol that the server chose.
func (s *server) initialize(ctx context.Context) (string, error) {
	var r struct {
		Version string `json:"protocolVersion"`
	}
	if err := s.await(ctx, "initialize", &r); err != nil {
		return "", err
	}
	return r.Version, s.write(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// tools is the names of the server's tools.
func (s *server) tools(ctx context.Context) (names []string, err error) {
	var r struct {
		Tools []struct{ Name string }
	}
	if err := s.call(ctx, "tools/list", object{}, &r); err != nil {
		return nil, err
	}
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}
