// Package keeper is the process that owns one browser from launch to exit, and serves it to the app and to agents
// over a socket. Package keeperclient is the other end of that socket.
package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"cove/internal/cdp/mux"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/keeper/storage"
	"cove/internal/keeperclient"
	"cove/internal/logging"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/protect"
	"cove/internal/proxy"
	"cove/internal/random"
	"cove/internal/relay"
	"cove/internal/session"
)

// keeper is the one value of the process. It owns the profile's lock, the browser, the relay, the gate, the control
// socket and the files by which others find them. run makes it, launches or adopts the browser, publishes the socket
// and waits for the browser's end; then finish removes everything again, so no file outlives the session.
//
// One goroutine runs run. awaitExit waits for the browser's process, mux.Run reads its pipe, the servers serve
// requests, and stop closes the browser in a goroutine of its own. All of them end when exited is closed or life ends.
// What has a state of its own after the socket is published has a type and a lock of its own. The fields here are set
// before that and do not change afterwards, except where a comment says otherwise.
type keeper struct {
	spec     keeperclient.Spec
	log      *slog.Logger
	server   *server
	agents   *agents
	enforcer *policy.Enforcer // authorizes every step of every agent, through the tools and through the gate
	events   *recorder        // of what the keeper does itself, in the journal
	policy   *policyAPI       // the calls by which the person controls agents
	ports    *ownPorts        // which no page reaches
	files    *protect.Files   // the files that no agent reads or writes
	record   keeperclient.Record
	relay    *relay.Relay     // nil for a browser with a direct way to the network
	storage  *storage.Storage // the cookies and the local storage
	shared   *shared          // the browser of a person; nil for a profile with a browser of its own

	// life ends when the session is over; an ordinary keeper's also ends with the context of Run.
	life context.Context

	browser *browser
	mux     *mux.Mux     // nil in ordinary mode; of a shared browser set by readyToShare
	gate    *gate.Server // set by openGate
	version gate.Version // of the browser; set by ready

	stopOnce sync.Once
	stopping chan struct{} // closed when somebody asked the keeper to stop

	unfinished sync.RWMutex // held for reading by calls that outlive the browser
}

// Run is `cove keeper`: it reads a Spec from in, writes a Hello to out, and returns when the browser is gone.
//
// When ctx ends, because a signal arrived, Run closes a browser that it drives, without loss, and returns when it is
// gone. A person's browser lives on: Run returns at once, and the next keeper adopts the browser. With memstatsEvery
// > 0 the log says that often how much memory the process uses. The log shows level and above.
func Run(ctx context.Context, in io.Reader, out io.Writer, memstatsEvery time.Duration, level slog.Level) error {
	// The app may die before it has read our Hello.
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP)
	// The heap is small, and a collection after every snapshot takes a tenth of the snapshot's time. process.Scavenger
	// returns the memory later.
	debug.SetGCPercent(200)

	var spec keeperclient.Spec
	if err := json.NewDecoder(in).Decode(&spec); err != nil {
		return fault.Invalidf("A keeper is started by the app, not by hand.").
			WithHint("Open a profile with: cove start ID")
	}
	logFile, err := paths.OpenLog(spec.Log)
	if err != nil {
		return greet(out, keeperclient.Hello{Fault: keeperclient.LaunchFault("The keeper cannot write its log.", err)})
	}
	defer func() { _ = logFile.Close() }()
	k := newKeeper(spec, logging.New(logFile, level).With("profile", spec.ID))

	lock, err := lockProfile(ctx, spec.Dir)
	if err != nil {
		return greet(out, keeperclient.Hello{Fault: fault.From(err)})
	}
	defer lock.Release()
	// From now on the next app waits for this keeper. An app that looked here earlier would not know of the profile. An
	// older app does not say who it is.
	if spec.App.PID != 0 && !spec.App.Alive() {
		k.log.Info("the app that asked for the profile is gone, so it was not opened")
		return greet(out, keeperclient.Hello{Fault: fault.New(fault.CodeAppGone,
			"The app ended before the profile was opened.", "Open it again.")})
	}

	k.files = protected(spec.Dir)
	stats, stopStats := context.WithCancel(ctx)
	defer stopStats()
	go logMemstats(stats, k.log, memstatsEvery)
	defer k.events.open(k.spec, k.enforcer, k.log)()
	return k.run(ctx, out)
}

func newKeeper(spec keeperclient.Spec, log *slog.Logger) *keeper {
	enforcer := policy.NewEnforcer(spec.Policy)
	enforcer.SetName(spec.ID.String())
	enforcer.SetAskLife(time.Duration(spec.RequestMinutes) * time.Minute)
	k := &keeper{
		spec: spec, log: log, enforcer: enforcer,
		events: newRecorder(spec.Version), ports: &ownPorts{home: spec.Dir.Home()},
		browser: &browser{dir: spec.Dir, log: log, exited: make(chan struct{})},
		life:    context.Background(), stopping: make(chan struct{}),
	}
	if k.shares() {
		k.shared = &shared{
			id: spec.ID, browser: spec.External, enforcer: enforcer, ports: k.ports, events: k.events,
			stopping: k.stopping, log: log, ended: make(chan struct{}),
		}
	}
	return k
}

// greet writes the keeper's one line to out, and returns the fault in it.
func greet(out io.Writer, h keeperclient.Hello) error {
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, _ = out.Write(append(raw, '\n'))
	if h.Fault != nil {
		return h.Fault
	}
	return nil
}

// lockProfile waits for a keeper that is about to end.
func lockProfile(ctx context.Context, dir paths.ProfileDir) (*process.Lock, error) {
	if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
		return nil, keeperclient.LaunchFault("The profile's folder cannot be made.", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	lock, err := process.WaitLock(ctx, dir.Lock())
	if errors.Is(err, process.ErrLocked) {
		return nil, keeperclient.ErrKeeperRunning
	}
	if err != nil {
		return nil, keeperclient.LaunchFault("The profile's folder cannot be locked.", err)
	}
	return lock, nil
}

// run launches or adopts the browser and owns it until it is gone.
func (k *keeper) run(ctx context.Context, out io.Writer) error {
	previous, _ := keeperclient.ReadRecord(k.spec.Dir) // of a keeper that died, if any
	k.record = keeperclient.Record{
		ID: process.Self(), Protocol: keeperclient.Protocol, Version: k.spec.Version,
		Token: random.Hex(16), RunID: random.Hex(8), Mode: k.spec.Requested.Mode, Headless: k.spec.Options.Headless,
		Shared: k.shares(),
	}
	adopted, err := k.claim(previous)
	if err != nil {
		return greet(out, keeperclient.Hello{Fault: fault.From(err)})
	}
	if adopted {
		k.adopt(previous)
	}

	end := k.begin(ctx)
	defer end()
	var launched *chromium.Process
	if !adopted && !k.shares() {
		if launched, err = k.launch(ctx); err != nil {
			k.closeRelay()
			return greet(out, keeperclient.Hello{Fault: fault.From(err)})
		}
	}
	go k.awaitExit(launched)
	if err := k.publish(); err != nil {
		return greet(out, keeperclient.Hello{Fault: k.unpublished(err, adopted)})
	}
	_ = greet(out, keeperclient.Hello{Record: &k.record})

	stopWatchdog := k.watchdog()
	if k.maintains() {
		go k.endWithApp()
	}
	failed, detached := k.open(ctx, launched)
	stopWatchdog()
	if detached {
		k.log.Info("the keeper ends and the browser stays open")
		return nil
	}
	k.finish(failed)
	return nil
}

// begin makes the keeper's life and its servers. A keeper that drives its browser outlives the end of ctx, until the
// browser is closed.
func (k *keeper) begin(ctx context.Context) (end context.CancelFunc) {
	if k.drives() {
		ctx = context.WithoutCancel(ctx)
	}
	k.life, end = context.WithCancel(ctx)
	k.agents = newAgents(k)
	k.storage = storage.New(storage.Config{
		Spec: &k.spec, Hidden: k.maintains(), Browser: func() *mux.Mux { return k.mux },
		Ready: func() bool { return k.server.get().State == session.Open && k.mux != nil },
		Close: k.closeBrowser, Record: k.events.event, Log: k.log,
	})
	k.policy = &policyAPI{enforcer: k.enforcer, exited: k.browser.exited, log: k.log, takeovers: &takeovers{
		id: k.spec.ID, enforcer: k.enforcer, browser: k.agents.awaitBrowser, window: k.hasWindow(), log: k.log,
	}}
	k.events.redact = k.agents.server.RedactText
	k.server = newServer(k.record.Token, k.stop)
	if !k.maintains() {
		k.server.check = k.checkBrowser
	}
	k.addRoutes(k.server.routes)
	return end
}

// shares reports whether the profile stands for a person's browser.
func (k *keeper) shares() bool { return k.spec.External.Set() }

// hasWindow reports whether Cove can bring the browser's window to the front. It leaves those of a person's own browser
// where they are.
func (k *keeper) hasWindow() bool { return !k.record.Headless && !k.shares() }

// unpublished ends a browser that nobody could find, and explains why.
func (k *keeper) unpublished(err error, adopted bool) *fault.Error {
	k.log.Error("the keeper cannot be found by others", "err", err)
	if k.shares() {
		k.shared.letGo()
	} else if !adopted { // nobody could close it any more
		k.browser.end(k.life, interruptLimit)
		<-k.browser.exited
	}
	k.closeRelay()
	keeperclient.RemoveRuntimeFiles(k.spec.Dir, k.record.Socket)
	return keeperclient.LaunchFault("The keeper cannot be reached.", err)
}

// watchdog restores the files by which others find the keeper, until stop is called.
func (k *keeper) watchdog() (stop func()) {
	record, err := k.record.Encode()
	return paths.Watchdog(func() {
		if _, gone := os.Lstat(k.record.Socket); errors.Is(gone, os.ErrNotExist) {
			k.log.Warn("the socket had gone and is opened again", "err", k.server.listen(k.record.Socket))
		}
		if err == nil {
			paths.Restore(k.spec.Dir.Keeper(), record)
		}
		if s := k.server.get(); s.State == session.Open && s.Endpoint.Port != 0 {
			paths.Restore(k.spec.Dir.ActivePort(), activePort(s.Endpoint))
		}
	})
}

// activePort returns the content of DevToolsActivePort.
func activePort(e session.Endpoint) []byte { return fmt.Appendf(nil, "%d\n%s", e.Port, e.Path) }

// publish opens the socket and writes the record.
func (k *keeper) publish() error {
	var err error
	if k.record.Socket, err = k.spec.Dir.Socket(); err != nil {
		return err
	}
	if err := k.server.listen(k.record.Socket); err != nil {
		return err
	}
	if err := k.record.Write(k.spec.Dir); err != nil {
		return err
	}
	k.policy.readPanic(k.spec.Panic)
	return nil
}

// openLimit bounds a start, from the launch to the first page that answers.
const openLimit = 90 * time.Second

// open waits until the browser accepts commands, publishes that, and waits for the browser's end. failed explains a
// start that did not succeed. detached reports that ctx ended and a person's browser goes on without its keeper.
func (k *keeper) open(ctx context.Context, launched *chromium.Process) (failed *fault.Error, detached bool) {
	if k.drives() {
		defer context.AfterFunc(ctx, k.stop)()
	}
	limit := openLimit
	if k.shares() {
		limit = shareLimit
	}
	ready, cancel := context.WithTimeout(k.life, limit)
	defer cancel()

	endpoint := session.Endpoint{
		RunID: k.record.RunID, Mode: k.record.Mode, PID: k.browser.PID, Headless: k.record.Headless,
	}
	err := k.ready(ready, launched)
	if err == nil && k.gate != nil {
		endpoint.Port, endpoint.Path = k.gate.Port(), k.gate.Path()
		err = paths.WriteVolatile(k.spec.Dir.ActivePort(), activePort(endpoint))
	}
	switch {
	case k.life.Err() != nil:
		return nil, true
	case err != nil:
		failed = k.failStart(err)
	default:
		k.announce(endpoint)
	}

	select {
	case <-k.browser.exited:
		return failed, false
	case <-k.life.Done():
		return nil, true
	}
}

// announce says to everybody that the browser accepts commands.
func (k *keeper) announce(e session.Endpoint) {
	e.Opened = time.Now().UTC()
	if !k.maintains() {
		k.events.event("opened", map[string]any{"headless": e.Headless}, nil)
	}
	k.server.set(keeperclient.Status{State: session.Open, Endpoint: e})
	k.agents.open(nil)
	k.log.Info("open", "mode", e.Mode, "browser", k.browser.PID, "port", e.Port, "headless", e.Headless)
}

// failStart ends a browser that did not become ready.
func (k *keeper) failStart(err error) *fault.Error {
	failed := k.startFault(err)
	k.log.Error("start failed", "err", failed.Text, "cause", err)
	k.events.event("opened", nil, failed)
	k.agents.open(failed)
	if k.shares() && failed.Code == fault.CodeAdoptLost {
		k.shared.endReason() // while nobody has stopped it, the browser says why
	}
	k.stop()
	return failed
}

// needsRelay reports whether a person's browser cannot use the proxy itself: its command line cannot carry a login, and
// with a socks4 proxy it would resolve names on this computer.
func needsRelay(p proxy.Proxy) bool { return p.Login != "" || p.Password != "" || p.Type == "socks4" }
