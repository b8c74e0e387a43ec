package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/verify/mcpclient"
)

func (p *Procedure) closeProfile(ctx context.Context) (string, error) {
	return "", p.App.Stop(ctx, p.ID)
}

// start runs the server and sends at once what clients send first: a server that has no profile to offer answers with
// the reason.
func (p *Procedure) start(context.Context) (detail string, err error) {
	detail = strings.Join(p.Server.Command, " ")
	if p.server, err = mcpclient.Start(p.Server, p.limits.server); err == nil {
		_ = p.server.SendInitialize() // the next step reports a server that is gone already
	}

	return detail, err
}

// opens waits until the profile is open. Nobody but the server has asked for that.
func (p *Procedure) opens(ctx context.Context) (string, error) {
	for {
		open, err := p.isOpen(ctx)
		switch {
		case open:
			return fmt.Sprintf("port %d", p.port), nil
		case ctx.Err() != nil: // also in the middle of the question
			return "", p.server.Late(ctx, "the profile did not open")
		case err != nil:
			return "", err
		}

		failed := p.server.Watch(ctx, 20*time.Millisecond)
		if failed == nil {
			continue
		}
		if open, err := p.isOpen(ctx); open && err == nil { // the profile opened before the server failed
			return fmt.Sprintf("port %d", p.port), nil
		}
		return "", p.refused(ctx, failed)
	}
}

// isOpen reports whether the profile is open for agents, and records its port.
func (p *Procedure) isOpen(ctx context.Context) (bool, error) {
	open, err := p.running(ctx)
	if err != nil || open == nil || open.State != "open" || open.Automation == nil {
		return false, err
	}
	p.port = open.Automation.Port

	return true, nil
}

// refusal is what a server says when the app does not open the profile. It unwraps to the app's own refusal.
type refusal struct {
	error
	app error
}

func (r refusal) Unwrap() error { return r.app }

// refused asks the app itself to open the profile: a server can report a refusal only in words.
func (p *Procedure) refused(ctx context.Context, reported error) error {
	var failure *api.Failure
	if _, err := p.App.Start(ctx, p.ID, api.StartOptions{Automation: true}); errors.As(err, &failure) {
		return refusal{reported, err}
	}

	return reported
}

func (p *Procedure) running(ctx context.Context) (*api.Running, error) {
	all, err := p.App.Running(ctx)
	if err != nil {
		return nil, err
	}
	r, ok := all[p.ID.String()]
	if !ok {
		return nil, nil
	}

	return &r, nil
}

func (p *Procedure) initialize(ctx context.Context) (string, error) {
	version, err := p.server.Initialize(ctx)
	return "protocol " + version, err
}

func (p *Procedure) tools(ctx context.Context) (string, error) {
	names, err := p.server.Tools(ctx)
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, "list_pages") {
		return "", fmt.Errorf("none of the %d tools is list_pages", len(names))
	}

	return fmt.Sprintf("%d tools", len(names)), nil
}

func (p *Procedure) end(context.Context) (string, error) { return "", p.server.Close() }

func (p *Procedure) stillOpen(ctx context.Context) (string, error) {
	open, err := p.running(ctx)
	if err != nil {
		return "", err
	}
	if open == nil || open.State != "open" || open.Automation == nil || open.Automation.Port != p.port {
		return "", errors.New("the profile closed with its client")
	}

	return "", nil
}

func (p *Procedure) gone(ctx context.Context) (string, error) {
	if _, err := os.Lstat(p.Folder.ActivePort()); err == nil {
		return "", errors.New(p.Folder.ActivePort() + " is still there")
	}

	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)))
	if err == nil {
		_ = conn.Close()
		return "", fmt.Errorf("port %d still answers", p.port)
	}

	return "", nil
}
