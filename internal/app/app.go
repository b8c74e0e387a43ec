// Package app puts `cove up` together: the store, the authority, the supervisor and the local API.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/httpapi"
	"cove/internal/keeper"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
	"cove/internal/sqlite"
	"cove/internal/webui"
)

// Config is how the app is to run.
type Config struct {
	Home    paths.Home
	Version string
	// Port is asked for by the person and must be free; 0 takes the usual one, or another when that is taken.
	Port int
	// Browser and BrowserArgs outrank the settings of the same name when they are not empty.
	Browser     string
	BrowserArgs string
	// Executable is the program that is started as a keeper.
	Executable string
}

// File is app.json: how others find the running app.
type File struct {
	process.ID
	APIPort int       `json:"api_port"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

// ReadFile reads app.json; the app that wrote it may be gone.
func ReadFile(home paths.Home) (File, error) {
	var f File
	raw, err := os.ReadFile(home.AppFile())
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(raw, &f)
}

// ErrRunning says that another app has this data folder.
var ErrRunning = errors.New("the app is running already")

// Run runs the app until ctx ends, and calls ready once it answers. Open profiles stay open.
func Run(ctx context.Context, c Config, ready func(api.Status)) error {
	if err := c.Home.Make(); err != nil {
		return fault.New(fault.Unavailable, "E_HOME", "The data folder cannot be used: "+err.Error()+".", "Check that it belongs to you, or name another with --home.").Because(err)
	}
	lock, err := process.TryLock(c.Home.AppLock())
	if errors.Is(err, process.ErrLocked) {
		return ErrRunning
	}
	if err != nil {
		return fault.Disk(err)
	}
	defer lock.Release()
	logFile, err := paths.OpenLog(c.Home.AppLog())
	if err != nil {
		return fault.Disk(err)
	}
	defer func() { _ = logFile.Close() }()
	log := slog.New(slog.NewTextHandler(logFile, nil))
	a, err := open(ctx, c, log)
	if err == nil {
		defer a.close()
		err = a.serve(ctx, ready)
	}
	if err != nil {
		log.Error("the app ended", "err", err)
	}
	return fault.Disk(err)
}

// app is everything that runs.
type app struct {
	Config
	log      *slog.Logger
	db       *sqlite.DB
	accounts account.Authority
	profiles *profiles
	sessions *session.Supervisor
	machine  *machine
	panic    *panicState
	access   *agentAccess
	pin      *account.PIN
	changes  event.Feed[api.ProfileEvent]
	stop     context.CancelFunc
}

func open(ctx context.Context, c Config, log *slog.Logger) (*app, error) {
	a := &app{Config: c, log: log}
	_, err := os.Stat(c.Home.DB())
	firstRun := errors.Is(err, os.ErrNotExist)
	if a.db, err = sqlite.Open(ctx, c.Home.DB()); err != nil {
		return nil, err
	}
	if err := a.build(ctx, firstRun); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *app) build(ctx context.Context, firstRun bool) error {
	token, err := ownerToken(a.Home)
	if err != nil {
		return err
	}
	if a.accounts, err = account.NewLocal(ctx, a.db.Accounts(), token); err != nil {
		return err
	}
	a.machine = &machine{app: a}
	a.pin = account.NewPIN(a.db)
	if a.panic, err = openPanic(ctx, a.Home, a.db); err != nil {
		return err
	}
	store := a.db.Profiles()
	a.profiles = &profiles{Store: store, home: a.Home, log: a.log, changes: &a.changes}
	a.sessions = session.New(session.Config{
		Profiles: store, Access: access{a.accounts, a.panic}, Log: a.log, AtOnce: runtime.NumCPU(), Closed: a.profiles.closed,
		Runner: &keeper.Runner{Home: a.Home, Version: a.Version, Log: a.log, Executable: a.Executable, Settings: a.machine.browser, Profile: store.Get, Journal: a.journals().open},
	})
	a.profiles.sessions = a.sessions
	a.access = &agentAccess{app: a, states: map[profile.ID]api.Access{}, turns: map[profile.ID]chan struct{}{}, watched: map[string]bool{}, again: map[profile.ID]context.CancelFunc{}}
	if err := a.profiles.sweep(ctx, store.ReserveThrough); err != nil {
		return err
	}
	if firstRun {
		if _, err := store.Create(ctx, profile.Profile{Name: "First profile"}); err != nil {
			return err
		}
	}
	if err := a.sessions.Recover(ctx); err != nil {
		return err
	}
	a.access.pushAll(ctx)
	return a.profiles.dropTemporary(ctx)
}

func (a *app) close() { _ = a.db.Close() }

// serve answers until ctx ends.
func (a *app) serve(ctx context.Context, ready func(api.Status)) error {
	ctx, a.stop = context.WithCancel(ctx)
	defer a.stop()
	listeners, port, reason, err := a.listen(ctx)
	if err != nil {
		return err
	}
	attended := make(chan struct{})
	go func() { defer close(attended); a.access.watch(ctx) }()
	defer func() { a.stop(); <-attended }()
	about := api.Status{App: "cove", Version: a.Version, PID: os.Getpid(), APIPort: port, PortReason: reason, Home: string(a.Home), Bridge: a.bridge()}
	a.machine.port = about
	handler := httpapi.New(httpapi.Config{Profiles: a.profiles, Sessions: a.sessions, Accounts: a.accounts, Machine: a.machine, Agents: agents{a.Home}, Access: a.access, PIN: a.pin, Secrets: &secrets{home: a.Home}, Journals: a.journals(), Clients: mcpClients{a.Home, a.Executable, port}, Window: webui.Page{}, Memory: memory{a.Home.SignIns(), a.log}, Changes: &a.changes, About: about, Log: a.log})
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- server.Serve(l) }()
	}
	withdraw, err := a.announce(port)
	if err != nil {
		return err
	}
	defer withdraw()
	a.log.Info("the app is running", "version", a.Version, "port", port, "home", a.Home)
	ready(about)
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	handler.Close()
	patience, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = server.Shutdown(patience)
	_ = server.Close()
	a.log.Info("the app has stopped")
	return err
}

// bridge is the command that MCP clients run, before the profile's id. The data folder stands in it: clients strip the environment,
// or hand on one that names another folder.
func (a *app) bridge() []string {
	return []string{a.Executable, "--home", string(a.Home), "mcp"}
}

// announce writes app.json and keeps it there until withdraw is called.
func (a *app) announce(port int) (withdraw func(), err error) {
	raw, err := json.MarshalIndent(File{ID: process.Self(), APIPort: port, Version: a.Version, Started: time.Now().UTC()}, "", "  ")
	if err != nil {
		return nil, err
	}
	raw = append(raw, '\n')
	if err := paths.WriteVolatile(a.Home.AppFile(), raw); err != nil {
		return nil, fmt.Errorf("write %s: %w", a.Home.AppFile(), err)
	}
	stop := paths.Tend(func() { paths.Mend(a.Home.AppFile(), raw) })
	return func() {
		stop()
		_ = os.Remove(a.Home.AppFile())
	}, nil
}

// ownerToken reads the owner's token, and makes it on the first run.
func ownerToken(home paths.Home) (string, error) {
	raw, err := os.ReadFile(home.OwnerToken())
	if token := strings.TrimSpace(string(raw)); err == nil && token != "" {
		return token, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	token := account.NewToken()
	return token, paths.WriteFile(home.OwnerToken(), []byte(token+"\n"))
}

// access tells the supervisor what the authority and the person say.
type access struct {
	account.Authority
	panic *panicState
}

func (a access) Agents(_ context.Context, p profile.Profile) error {
	if a.panic.on() {
		return policy.SuspendedError()
	}
	if !p.Policy.Agents() {
		return policy.AgentsOffIn(p.ID.String())
	}
	return nil
}

func (a access) LoggedIn(ctx context.Context) error {
	_, err := a.Current(ctx)
	return err
}

func (a access) Automation(ctx context.Context) error {
	who, err := a.Current(ctx)
	if err != nil {
		return err
	}
	return who.MayAutomate()
}
