package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"syscall"
	"time"

	"cove/internal/app/storage"
	"cove/internal/fault"
	"cove/internal/httpapi/adspower"
)

// adsPower is the port that serves AdsPower's API. It is off until Open is called with a port. Its methods may be
// called from any goroutine.
type adsPower struct {
	log     *slog.Logger
	handler func(port int) *adspower.Server

	changing sync.Mutex // held while the port changes, which can take a moment
	// file is where the keepers read which ports pages never reach. It is nil until the app serves; changing guards it.
	file *announcement

	mu      sync.Mutex
	port    int // 0 while it is off
	server  *http.Server
	serving *adspower.Server
	problem error // why the port of the settings is not open
}

// openAdsPower opens the port of the settings. An app whose port is taken runs without it; the doctor says so.
func (a *app) openAdsPower(ctx context.Context, file *announcement) {
	a.adspower.changing.Lock()
	a.adspower.file = file
	a.adspower.changing.Unlock()
	port, err := a.machine.AdsPowerPort(ctx)
	if err == nil {
		err = a.adspower.Open(ctx, port)
	}
	if err != nil {
		a.log.Error("the port for AdsPower scripts could not be opened", "port", port, "err", err)
		a.adspower.mu.Lock()
		a.adspower.problem = err
		a.adspower.mu.Unlock()
	}
}

// adsPowerHandler is AdsPower's API over the app's parts.
func (a *app) adsPowerHandler(port int) *adspower.Server {
	return adspower.New(adspower.Config{
		Port: port, Home: a.config.Home, Profiles: a.profiles, Folders: a.db.Folders(), Proxies: a.db.Proxies(),
		Sessions: a.sessions, Accounts: a.accounts, PIN: a.pin, Machine: a.machine, Changes: &a.changes,
		Storage: storage.Storage{Home: a.config.Home, Sessions: a.sessions}, Log: a.log,
	})
}

// Open moves the API to a port of both loopback addresses; 0 closes it. If the port cannot be had, nothing changes.
func (p *adsPower) Open(ctx context.Context, port int) error {
	p.changing.Lock()
	defer p.changing.Unlock()
	if p.file == nil {
		return nil // the app is not up yet, or not any more
	}
	before, _ := p.State()
	if port == before {
		p.set(port, p.server, p.serving)
		return nil
	}
	server, serving := p.server, p.serving
	if port == 0 {
		p.set(0, nil, nil)
	} else if err := p.listen(ctx, before, port); err != nil {
		return err
	}

	end(server, serving)
	p.log.Info("the port for AdsPower scripts", "port", port, "before", before)
	if err := p.file.setOwnPorts(ownPorts(port)...); err != nil { // it still names the port before
		p.log.Warn("app.json could not be written", "err", err)
	}
	return nil
}

// set says which port is open.
func (p *adsPower) set(port int, server *http.Server, serving *adspower.Server) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.port, p.server, p.serving, p.problem = port, server, serving, nil
}

// listen serves on a port. It publishes the port before it opens it, so that no page reaches it.
func (p *adsPower) listen(ctx context.Context, before, port int) error {
	if err := p.file.setOwnPorts(ownPorts(before, port)...); err != nil {
		return err
	}
	listeners, err := listenLoopback(ctx, port)
	if err != nil {
		return errors.Join(portFault(port, err), p.file.setOwnPorts(ownPorts(before)...))
	}
	serving := p.handler(port)
	server := newServer(serving, p.log)
	p.set(port, server, serving)
	for _, l := range listeners {
		go func() {
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				p.log.Error("the port for AdsPower scripts failed", "port", port, "err", err)
			}
		}()
	}
	return nil
}

// portFault says why a port that the person has chosen cannot be had.
func portFault(port int, err error) error {
	const hint = "Close that program, or choose another port with: cove config set adspower.port PORT"
	if errors.Is(err, syscall.EADDRINUSE) {
		return fault.New(fault.CodePortTaken, fmt.Sprintf("Port %d is in use by %s.", port, portUser(port)), hint).
			Because(err)
	}
	return fault.New(fault.CodePortTaken, fmt.Sprintf("Port %d cannot be opened: %s.", port, err),
		"Choose another port with: cove config set adspower.port PORT").Because(err)
}

func ownPorts(ports ...int) (open []int) {
	for _, port := range ports {
		if port != 0 {
			open = append(open, port)
		}
	}
	return open
}

// State returns the open port, 0 for none, and why the port of the settings is not open.
func (p *adsPower) State() (port int, problem error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.port, p.problem
}

// close ends the API with the app.
func (p *adsPower) close() {
	p.changing.Lock()
	defer p.changing.Unlock()
	end(p.server, p.serving)
	p.set(0, nil, nil)
	p.file = nil
}

// end closes a server. Calls that have begun may finish within a moment.
func end(server *http.Server, serving *adspower.Server) {
	if server == nil {
		return
	}
	serving.Close()
	limit, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = server.Shutdown(limit)
	_ = server.Close()
}
