package verify

import (
	"context"
	"errors"
	"time"
)

// Probed is what an MCP server answered.
type Probed struct {
	Protocol string
	Tools    int
	Elapsed  time.Duration
}

// Probe runs a server's command as a client does, counts its tools, and ends it.
func Probe(ctx context.Context, program Program) (Probed, error) {
	return probe(ctx, program, usualLimits())
}

func probe(ctx context.Context, program Program, l limits) (p Probed, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.probe)
	defer cancel()
	began := time.Now()
	s, err := startServer(program, l)
	if err != nil {
		return p, err
	}
	defer func() {
		if cerr := s.close(); err == nil {
			err = cerr
		}
	}()

	if err := s.sendInitialize(); err != nil {
		return p, s.exitError()
	}
	if p.Protocol, err = s.initialize(ctx); err != nil {
		return p, err
	}
	names, err := s.tools(ctx)
	if err != nil {
		return p, err
	}

	p.Tools, p.Elapsed = len(names), time.Since(began)
	if p.Tools == 0 {
		return p, errors.New("the server has no tools")
	}

	return p, nil
}
