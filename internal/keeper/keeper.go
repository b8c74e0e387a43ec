package keeper

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/protect"
	"cove/internal/relay"
	"cove/internal/session"
)

// keeper is the process's one value.
type keeper struct {
	Spec
	log      *slog.Logger
	control  *control
	agents   *agents
	enforcer *policy.Enforcer // what every agent asks, through the tools or the gate
	journal  journal.Recorder
	files    *protect.Files // what no agent reads or writes
	record   Record

	takenMu sync.Mutex
	taken   []place // where everything was when the person took over; nil while nobody has

	browser  process.ID
	launched time.Time // zero for a browser that was adopted
	mux      *gate.Mux // nil in ordinary mode
	gate     *gate.Server
	version  gate.Version // what the browser says of itself
	relay    *relay.Relay
	// gatePort is the gate's, once it is open.
	gatePort atomic.Int32
	exited   chan struct{} // closed when the browser is gone
	code     int           // its exit code, then

	stopOnce sync.Once
	asked    chan struct{} // closed when somebody asked to stop
}

// Run is `cove keeper`: it reads its spec from in, says hello on out, and returns when the browser is gone. With gauged it logs that
// often how much it holds.
func Run(in io.Reader, out io.Writer, gauged time.Duration) error {
	// The app may die before it has read our hello.
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP)
	// The heap is small, and to sweep it after every snapshot takes a tenth of the snapshot's time. What has grown goes back at rest: see
	// Tidy.
	debug.SetGCPercent(200)
	var spec Spec
	if err := json.NewDecoder(in).Decode(&spec); err != nil {
		return fault.Invalidf("A keeper is started by the app, not by hand.").WithHint("Open a profile with: cove start ID")
	}
	logFile, err := paths.OpenLog(spec.Log)
	if err != nil {
		return answer(out, hello{Fault: launchFault("The keeper cannot write its log.", err)})
	}
	defer func() { _ = logFile.Close() }()
	k := &keeper{Spec: spec, log: slog.New(slog.NewTextHandler(logFile, nil)).With("profile", spec.ID), enforcer: policy.NewEnforcer(spec.Policy), files: protected(spec.Dir), exited: make(chan struct{}), asked: make(chan struct{})}
	lock, err := takeLock(spec.Dir)
	if err != nil {
		return answer(out, hello{Fault: fault.From(err)})
	}
	defer lock.Release()
	// From now on the next app waits for us, but it may have looked here before: then nobody would know of the profile.
	if spec.App.PID != 0 && !spec.App.Alive() { // an older app does not say who it is
		k.log.Info("the app that asked for the profile is gone, so it was not opened")
		return answer(out, hello{Fault: fault.New(fault.Unavailable, "E_APP_GONE", "The app ended before the profile was opened.", "Open it again.")})
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go gauge(ctx, k.log, gauged)
	defer k.keepJournal()()
	return k.run(out)
}

func answer(out io.Writer, h hello) error {
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

var errTaken = fault.New(fault.Conflict, "E_BROWSER_RUN_DUPLICATE", "Another keeper has the profile open.", "Close it first, or wait a moment and try again.")

// takeLock waits for a keeper that is about to go.
func takeLock(dir paths.ProfileDir) (*process.Lock, error) {
	if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
		return nil, launchFault("The profile's folder cannot be made.", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	lock, err := process.WaitLock(ctx, dir.Lock())
	if errors.Is(err, process.ErrLocked) {
		return nil, errTaken
	}
	if err != nil {
		return nil, launchFault("The profile's folder cannot be locked.", err)
	}
	return lock, nil
}

func launchFault(text string, err error) *fault.Error {
	if errors.Is(err, syscall.ENOSPC) {
		return fault.DiskFull("The disk is full, so the profile was not opened.").Because(err)
	}
	return fault.New(fault.Internal, "E_BROWSER_LAUNCH", strings.TrimSuffix(text, ".")+": "+err.Error()+".", "The log tells more: cove logs").Because(err)
}

// run launches or adopts the browser and keeps it until it is gone.
func (k *keeper) run(out io.Writer) error {
	previous, _ := ReadRecord(k.Dir) // of a keeper that died, if any
	k.record = Record{ID: process.Self(), Protocol: Protocol, Version: k.Version, Token: randomHex(16), RunID: randomHex(8), Mode: k.Want.Mode, Headless: k.Options.Headless}
	k.agents = newAgents(k)
	k.control = newControl(k.record.Token, k.stop, k.agents)

	adopted, err := k.claim(previous)
	if err != nil {
		return answer(out, hello{Fault: fault.From(err)})
	}
	var launched *chromium.Process
	if adopted {
		k.adopt(previous)
	} else if launched, err = k.launch(); err != nil {
		k.closeRelay()
		return answer(out, hello{Fault: fault.From(err)})
	}
	go k.waitExit(launched)
	if err := k.publish(); err != nil {
		k.log.Error("the keeper cannot be found by others", "err", err)
		if !adopted { // nobody could close it any more
			k.endProcess(interruptLimit)
			<-k.exited
		}
		k.closeRelay()
		removeTraces(k.Dir, k.record.Socket)
		return answer(out, hello{Fault: launchFault("The keeper cannot be reached.", err)})
	}
	_ = answer(out, hello{Record: &k.record})
	k.watchSignals()
	untend := k.tend()
	failed := k.open(launched)
	untend()
	k.finish(failed)
	return nil
}

// tend keeps what others find the keeper by in its place, until untend is called.
func (k *keeper) tend() (untend func()) {
	record, err := k.record.encode()
	return paths.Tend(func() {
		if _, gone := os.Lstat(k.record.Socket); errors.Is(gone, os.ErrNotExist) {
			k.log.Warn("the socket had gone and is opened again", "err", k.control.listen(k.record.Socket))
		}
		if err == nil {
			paths.Mend(k.Dir.Keeper(), record)
		}
		if s := k.control.get(); s.State == session.Open && s.Facts.Port != 0 {
			paths.Mend(k.Dir.ActivePort(), activePort(s.Facts))
		}
	})
}

// activePort is what DevToolsActivePort holds.
func activePort(f session.Endpoint) []byte { return fmt.Appendf(nil, "%d\n%s", f.Port, f.Path) }

// publish opens the socket and writes the record.
func (k *keeper) publish() error {
	var err error
	if k.record.Socket, err = k.Dir.Socket(); err != nil {
		return err
	}
	if err := k.control.listen(k.record.Socket); err != nil {
		return err
	}
	if err := k.record.Write(k.Dir); err != nil {
		return err
	}
	k.readPanic()
	return nil
}

// open waits until the browser takes commands, tells so, and waits for its end. The fault is that of a start that failed.
func (k *keeper) open(launched *chromium.Process) *fault.Error {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	facts := session.Endpoint{RunID: k.record.RunID, Mode: k.record.Mode, PID: k.browser.PID, Headless: k.record.Headless}
	err := k.ready(ctx, launched)
	if err == nil && k.gate != nil {
		facts.Port, facts.Path = k.gate.Port(), k.gate.Path()
		err = paths.WriteVolatile(k.Dir.ActivePort(), activePort(facts))
	}
	var failed *fault.Error
	if err != nil {
		failed = k.startFault(err)
		k.log.Error("start failed", "err", failed.Text, "cause", err)
		k.note("opened", nil, failed)
		k.agents.open(failed)
		k.stop()
	} else {
		facts.Opened = time.Now().UTC()
		k.note("opened", map[string]any{"headless": facts.Headless}, nil)
		k.control.set(Status{State: session.Open, Facts: facts})
		k.agents.open(nil)
		k.log.Info("open", "mode", facts.Mode, "browser", k.browser.PID, "port", facts.Port, "headless", facts.Headless)
	}
	<-k.exited
	return failed
}

// finish removes everything of ours and tells why.
func (k *keeper) finish(failed *fault.Error) {
	if k.gate != nil {
		k.gate.Close()
	}
	k.closeRelay()
	if _, held := chromium.FindHolder(k.Options.DataDir, process.ID{}); !held {
		chromium.ClearLocks(k.Options.DataDir)
	}
	if failed != nil {
		k.control.awaitWatcher() // the app may not have come yet to hear why
	}
	removeTraces(k.Dir, k.record.Socket)
	end := k.end()
	k.agents.close(end)
	k.log.Info("closed", "end", end, "exit", k.code)
	k.note("closed", map[string]any{"end": end}, nil)
	k.control.close(Status{State: session.Closed, End: end, Fault: failed})
}

func (k *keeper) end() session.EndReason {
	select {
	case <-k.asked:
		return session.Stopped
	default:
	}
	if k.code == 0 {
		return session.Left
	}
	return session.Crashed
}

func (k *keeper) closeRelay() {
	if k.relay != nil {
		k.relay.Close()
	}
}

func (k *keeper) waitExit(launched *chromium.Process) {
	if launched != nil {
		k.code = launched.Wait()
	} else {
		_ = k.browser.Wait(context.Background())
	}
	close(k.exited)
}

// watchSignals: the system is going down, or somebody ends us. A browser on our pipe would end with us, so it is closed well;
// a person's browser lives on and is adopted by the next keeper.
func (k *keeper) watchSignals() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		if k.record.Mode == session.Ordinary {
			os.Exit(0)
		}
		k.stop()
	}()
}

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// credentials reports whether the proxy needs what the browser's command line cannot carry.
func credentials(p profile.Proxy) bool { return p.Set() && (p.Login != "" || p.Password != "") }
