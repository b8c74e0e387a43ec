// Package app puts `cove up` together: the store, the authority, the supervisor and the local API.
package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/account/pin"
	"cove/internal/app/access"
	"cove/internal/app/extensions"
	"cove/internal/app/folders"
	"cove/internal/app/machine"
	"cove/internal/app/notices"
	"cove/internal/app/records"
	"cove/internal/app/register"
	"cove/internal/app/storage"
	"cove/internal/app/suspend"
	"cove/internal/chromium/probe"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/httpapi"
	"cove/internal/job"
	"cove/internal/keeperclient/runner"
	"cove/internal/logging"
	"cove/internal/logins"
	"cove/internal/notify"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
	"cove/internal/sqlite"
	"cove/internal/webui"
)

// Config says how the app runs.
type Config struct {
	Home    paths.Home
	Version string
	// Port is the person's choice and must be free. 0 means the usual port, or another one when that is in use.
	Port int
	// Browser and BrowserArgs outrank the settings of the same name unless they are empty.
	Browser     string
	BrowserArgs string
	// Executable is the program that runs as a keeper.
	Executable string
	// ShowWindow opens the window; nil where it cannot be opened.
	ShowWindow func(ctx context.Context)
	// LogLevel is the lowest level that the app's log shows.
	LogLevel slog.Level
}

// ErrRunning says that another app uses this data folder.
var ErrRunning = errors.New("the app is running already")

// Run runs the app until ctx ends, and calls ready once the app answers. Open profiles stay open.
func Run(ctx context.Context, c Config, ready func(api.Status)) error {
	if err := c.Home.Make(); err != nil {
		return fault.New(fault.CodeHome, "The data folder cannot be used: "+err.Error()+".",
			"Check that it belongs to you, or choose another with --home.").Because(err)
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
	log := logging.New(logFile, c.LogLevel)

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

// app is everything that runs in `cove up`. open makes it, serve runs it, and close closes the store. Its parts know
// only what they are given here.
type app struct {
	config     Config
	log        *slog.Logger
	db         *sqlite.DB
	accounts   account.Authority
	profiles   *folders.Profiles
	sessions   *session.Supervisor
	machine    *machine.Machine
	extensions *extensions.Extensions
	access     *access.Control
	adspower   *adsPower
	pin        *pin.PIN
	probe      *probe.Cache
	changes    event.Feed[api.ProfileEvent]
	jobs       *job.Jobs
	logins     *logins.Imports
}

func open(ctx context.Context, c Config, log *slog.Logger) (*app, error) {
	a := &app{config: c, log: log, jobs: job.New()}
	_, err := os.Stat(c.Home.DB())
	firstRun := errors.Is(err, os.ErrNotExist)
	if a.db, err = sqlite.Open(ctx, c.Home.DB()); err != nil {
		return nil, err
	}
	if err := a.build(ctx); err != nil {
		a.close()
		return nil, err
	}
	if err := a.recover(ctx, firstRun); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// build makes the parts of the app and connects them.
func (a *app) build(ctx context.Context) error {
	home := a.config.Home
	token, err := ownerToken(home)
	if err != nil {
		return err
	}
	if a.accounts, err = account.NewLocal(ctx, a.db.Accounts(), token); err != nil {
		return err
	}
	panics, err := suspend.Open(ctx, home, a.db)
	if err != nil {
		return err
	}

	a.pin = pin.New(a.db) // one for all ports: it allows one attempt at a time
	store := a.db.Profiles()
	a.profiles = &folders.Profiles{Store: store, Home: home, Log: a.log, Changes: &a.changes,
		CheckBrowser: machine.CheckPath}
	a.adspower, a.probe = &adsPower{log: a.log, handler: a.adsPowerHandler}, probe.NewCache(home, a.log)
	a.machine = &machine.Machine{
		Home: home, Store: a.db, Accounts: a.accounts, Profiles: a.profiles, Probe: a.probe, Ports: a.adspower,
		Browser: a.config.Browser, BrowserArgs: a.config.BrowserArgs,
	}
	a.extensions = &extensions.Extensions{Store: a.db.Extensions(), Home: home, Log: a.log}
	a.profiles.CopyExtensions = a.db.Extensions().Copy
	a.sessions = session.New(session.Config{
		Profiles: store, Access: startRules{a.accounts, panics}, Log: a.log, AtOnce: runtime.NumCPU(),
		Closed: a.profiles.Closed,
		Runner: &runner.Runner{
			Home: home, Version: a.config.Version, Log: a.log, Executable: a.config.Executable,
			Settings: a.machine.Preferred, Profile: store.Get, Journal: a.journals().Open,
			RequestMinutes: a.machine.RequestMinutes, Extensions: a.extensions.ForStart,
		},
	})
	a.profiles.Sessions, a.extensions.Sessions = a.sessions, a.sessions
	a.access = access.New(home, a.log, a.sessions, store, panics)
	a.logins = logins.New(storage.Storage{Home: home, Sessions: a.sessions}, a.log)
	return nil
}

// recover finishes what the last app left undone, and finds the profiles that are open.
func (a *app) recover(ctx context.Context, firstRun bool) error {
	store := a.db.Profiles()
	if err := a.profiles.Sweep(ctx, store.ReserveThrough); err != nil {
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
	a.access.PushAll(ctx)
	a.extensions.Sweep(ctx)
	return a.profiles.DropTemporary(ctx)
}

func (a *app) close() {
	a.jobs.Close()
	if a.logins != nil {
		a.logins.Close()
	}
	if a.probe != nil {
		a.probe.Close()
	}
	_ = a.db.Close()
}

// serve answers requests until ctx ends, or the API is asked to stop the app.
func (a *app) serve(ctx context.Context, ready func(api.Status)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	at, err := a.listen(ctx)
	if err != nil {
		return err
	}
	var watching sync.WaitGroup
	watching.Go(func() { a.access.Watch(ctx) })
	watching.Go(func() { a.notices().Run(ctx) })
	defer func() { stop(); watching.Wait() }()

	about := api.Status{
		App: "cove", Version: a.config.Version, PID: os.Getpid(), APIPort: at.port, PortReason: at.reason,
		PortTaken: at.occupied, Home: string(a.config.Home), Bridge: a.bridge(),
	}
	a.machine.About, a.machine.EndApp = about, stop
	handler := a.handler(about)
	server := newServer(handler, a.log)
	failed := make(chan error, len(at.listeners))
	for _, l := range at.listeners {
		go func() { failed <- server.Serve(l) }()
	}
	file, err := announce(a.config.Home, at.port, a.config.Version)
	if err != nil {
		return err
	}
	defer file.withdraw()
	a.openAdsPower(ctx, file)
	defer a.adspower.close()
	a.log.Info("the app is running", "version", a.config.Version, "port", at.port, "home", a.config.Home)
	ready(about)

	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	handler.Close()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	_ = server.Shutdown(limit)
	_ = server.Close()
	a.log.Info("the app has stopped")
	return err
}

// notices tells the person of the requests of agents.
func (a *app) notices() *notices.Notices {
	return &notices.Notices{
		Subscribe: a.access.Subscribe, Setting: a.db.Setting, Profile: a.db.Profiles().Get, HasPIN: a.pin.IsSet,
		Answer: func(ctx context.Context, one api.Request, in api.Answer) error {
			_, request, _ := strings.Cut(one.ID, "-")
			return a.access.Answer(ctx, one.Profile, request, "person", in)
		},
		Show: a.config.ShowWindow, Desktop: notify.Desktop, Log: a.log,
	}
}

// newServer makes a server with the limits that hold for every port.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// handler is the local API over the app's parts.
func (a *app) handler(about api.Status) *httpapi.Server {
	home := a.config.Home
	return httpapi.New(httpapi.Config{
		Profiles: a.profiles, Batches: a.db.Profiles(), Proxies: a.db.Proxies(), Folders: a.db.Folders(),
		Statuses: a.db.Statuses(), Views: a.db.Views(), Sessions: a.sessions, Jobs: a.jobs, Accounts: a.accounts,
		Logins: a.logins, Machine: a.machine, Access: a.access,
		ProxyCheck: a.machine.ProxyCheck,
		Agents:     access.Agents{Home: home}, PIN: a.pin, Secrets: &records.Secrets{Home: home},
		Journals: a.journals(), Extensions: a.extensions, Storage: storage.Storage{Home: home, Sessions: a.sessions},
		Clients: register.Clients{Home: home, Executable: a.config.Executable, Port: about.APIPort},
		Window:  webui.Page{},
		Memory:  memory{home.SignIns(), a.log}, Changes: &a.changes, About: about, Log: a.log,
	})
}

func (a *app) journals() records.Journals {
	return records.Journals{Home: a.config.Home, Settings: a.db, Version: a.config.Version}
}

// bridge is the command that MCP clients run, before the profile's id. It names the data folder, because clients
// strip the environment, or pass on one that names another folder.
func (a *app) bridge() []string {
	return []string{a.config.Executable, "--home", string(a.config.Home), "mcp"}
}

// ownerToken reads the owner's token, and creates it on the first run.
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

// startRules says who may start a profile: it asks the authority, and checks the panic and the profile's policy.
type startRules struct {
	accounts account.Authority
	panic    *suspend.State
}

// Agents says why agents may not work in a profile; nil when they may.
func (r startRules) Agents(_ context.Context, p profile.Profile) error {
	if r.panic.On() {
		return policy.SuspendedError()
	}
	if !p.Policy.Agents() {
		return policy.AgentsOffIn(p.ID.String())
	}
	return nil
}

// LoggedIn fails when nobody is logged in.
func (r startRules) LoggedIn(ctx context.Context) error {
	_, err := r.accounts.Current(ctx)
	return err
}

// Automation fails when the account's plan does not include automation.
func (r startRules) Automation(ctx context.Context) error {
	who, err := r.accounts.Current(ctx)
	if err != nil {
		return err
	}
	return who.MayAutomate()
}
