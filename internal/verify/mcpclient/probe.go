package mcpclient

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
func Probe(ctx context.Context, program Program, l Limits) (p Probed, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.Probe)
	defer cancel()
	began := time.Now()
	c, err := Start(program, l)
	if err != nil {
		return p, err
	}
	defer func() {
		if cerr := c.Close(); err == nil {
			err = cerr
		}
	}()

	if err := c.SendInitialize(); err != nil {
		return p, c.Err()
	}
	if p.Protocol, err = c.Initialize(ctx); err != nil {
		return p, err
	}
	names, err := c.Tools(ctx)
	if err != nil {
		return p, err
	}

	p.Tools, p.Elapsed = len(names), time.Since(began)
	if p.Tools == 0 {
		return p, errors.New("the server has no tools")
	}

	return p, nil
}
