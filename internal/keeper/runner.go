package keeper

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Runner runs each browser under a keeper process of its own on this computer.
type Runner struct {
	Home    paths.Home
	Version string
	Log     *slog.Logger
	// Executable is the program that is started as `keeper`.
	Executable string
	// Settings answers the browser that the person prefers and the arguments for every profile.
	Settings func(ctx context.Context) (browser string, args []string, err error)
	// Profile answers a profile, for a browser that must be adopted.
	Profile func(ctx context.Context, id profile.ID) (profile.Profile, error)
	// Journal answers where a profile's journal is and how much of it is kept.
	Journal func(ctx context.Context, id profile.ID) (journal.Place, journal.Bounds, error)
}

var _ session.Runner = (*Runner)(nil)

// minFree is the room below which a browser could not keep what it is told.
const minFree = 64 << 20

// Start spawns a keeper and returns when it has begun to launch the browser.
func (r *Runner) Start(ctx context.Context, p profile.Profile, w session.Options) (session.Browser, error) {
	spec, err := r.spec(ctx, p, w)
	if err != nil {
		return nil, err
	}
	record, err := r.spawn(ctx, spec)
	if errors.Is(err, errTaken) {
		// An app that died right after it had started a keeper leaves one that nobody could find yet when we looked.
		if found, readErr := ReadRecord(spec.Dir); readErr == nil && found.Alive() {
			r.Log.Warn("the keeper of an app that died was found", "profile", p.ID, "keeper", found.PID)
			record, err = found, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return r.watch(p.ID, record), nil
}

func (r *Runner) spec(ctx context.Context, p profile.Profile, w session.Options) (Spec, error) {
	preferred, args, err := r.Settings(ctx)
	if err != nil {
		return Spec{}, err
	}
	// It may have been made when more was allowed.
	if err := p.CheckArgs(); err != nil {
		return Spec{}, fault.From(err).WithHint(fmt.Sprintf("Give the profile its other arguments anew, without it: cove profile edit %d --arg=…, or --arg= for none.", p.ID))
	}
	b, err := chromium.Find(ctx, p.Browser, preferred)
	if err != nil {
		if p.Browser != "" {
			err = fault.From(err).WithHint(fmt.Sprintf("Give the profile another one with: cove profile edit %d --browser PATH (\"\" leaves it to Cove).", p.ID))
		}
		return Spec{}, err
	}
	place, bounds, err := r.Journal(ctx, p.ID)
	if err != nil {
		return Spec{}, err
	}
	dir := r.Home.Profile(int32(p.ID))
	if err := chromium.CheckDowngrade(dir.Data(), b); err != nil {
		return Spec{}, err
	}
	if free, err := process.FreeBytes(string(r.Home)); err == nil && free < minFree {
		return Spec{}, fault.DiskFull(fmt.Sprintf("The disk is nearly full (%d MB free), so the profile was not opened.", free>>20))
	}
	o := chromium.Options{DataDir: dir.Data(), Headless: w.Headless || !chromium.HasDisplay(), Pages: p.StartPages, Window: p.Window,
		Locale: p.Locale, Timezone: p.Timezone, Extra: append(args[:len(args):len(args)], p.Args...)}
	if why := chromium.NoSandbox(b.Path); why != "" {
		r.Log.Warn("the browser runs without its sandbox", "profile", p.ID, "why", why)
		o.NoSandbox = true
	}
	return Spec{ID: p.ID, Name: p.Name, Dir: dir, Log: r.Home.KeeperLog(int32(p.ID)), Version: r.Version, Want: w, Browser: b.Path, Options: o, Proxy: p.Proxy, Policy: p.Policy, Panic: r.Home.Panic(),
		Journal: place, Bounds: bounds}, nil
}

// spawn starts the keeper process and waits for its hello.
func (r *Runner) spawn(ctx context.Context, spec Spec) (Record, error) {
	spec.App = process.Self()
	raw, err := json.Marshal(spec)
	if err != nil {
		return Record{}, err
	}
	// What it says outside its log: a panic.
	stderr, err := paths.AppendTo(spec.Log)
	if err != nil {
		return Record{}, launchFault("The keeper's log cannot be written", err)
	}
	defer func() { _ = stderr.Close() }()
	cmd := exec.Command(r.Executable, "keeper", spec.ID.String())
	cmd.Dir = string(r.Home)
	cmd.Stderr = stderr
	process.Detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return Record{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Record{}, err
	}
	if err := cmd.Start(); err != nil {
		return Record{}, launchFault("The keeper does not start", err)
	}
	_, _ = in.Write(raw)
	_ = in.Close()

	said := make(chan hello, 1)
	go func() {
		var h hello
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		if json.Unmarshal(line, &h) != nil || (h.Record == nil && h.Fault == nil) {
			h = hello{Fault: launchFault("The keeper ended at once", errors.New("see "+spec.Log))}
		}
		said <- h
		_ = cmd.Wait() // it is our child until the app ends
	}()
	select {
	case h := <-said:
		if h.Fault != nil {
			return Record{}, h.Fault
		}
		return *h.Record, nil
	case <-ctx.Done():
		return Record{}, r.giveUp(cmd, said)
	}
}

// giveUp ends a keeper that nobody waits for any more: as soon as it can be told, it closes its browser.
func (r *Runner) giveUp(cmd *exec.Cmd, said <-chan hello) error {
	select {
	case h := <-said:
		if h.Record != nil {
			h := newHandle(*h.Record)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_ = h.ask(ctx)
			_ = h.record.Wait(ctx)
		}
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill() // the browser on its pipe ends with it
	}
	return context.Canceled
}

// Find returns the browsers whose keepers live, adopts ordinary ones whose keeper died, and clears what dead ones left.
func (r *Runner) Find(ctx context.Context) (map[profile.ID]session.Browser, error) {
	ids, err := IDs(r.Home)
	if err != nil {
		return nil, err
	}
	found := map[profile.ID]session.Browser{}
	for _, id := range ids {
		if b := r.find(ctx, id); b != nil {
			found[id] = b
		}
	}
	return found, nil
}

// find looks at one profile; it never fails because of a bad one.
func (r *Runner) find(ctx context.Context, id profile.ID) session.Browser {
	dir := r.Home.Profile(int32(id))
	record, err := ReadRecord(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.Log.Warn("a keeper's record cannot be read", "profile", id, "err", err)
	}
	if err == nil && record.Alive() {
		if record.Protocol != Protocol {
			r.Log.Warn("a keeper of another version", "profile", id, "keeper", record.Version, "protocol", record.Protocol)
		}
		return r.watch(id, record)
	}
	if late, ok := awaitRecord(dir); ok {
		return r.watch(id, late)
	}
	adopted, err := r.adopt(ctx, id, record)
	if err != nil {
		r.Log.Error("an open browser could not be adopted", "profile", id, "err", err)
	}
	if adopted == nil {
		return nil
	}
	return r.watch(id, *adopted)
}

// awaitRecord waits for the record of a keeper that holds the profile's lock and cannot be found yet: the app that started it has
// died since.
func awaitRecord(dir paths.ProfileDir) (Record, bool) {
	if _, err := os.Stat(dir.Lock()); err != nil {
		return Record{}, false
	}
	for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		lock, err := process.TryLock(dir.Lock())
		if err == nil {
			lock.Release()
		}
		if !errors.Is(err, process.ErrLocked) {
			return Record{}, false
		}
		if record, err := ReadRecord(dir); err == nil && record.Alive() {
			return record, true
		}
	}
	return Record{}, false
}

// adopt starts a new keeper for a person's browser that lost its own; nil when there is none. It clears what is stale.
func (r *Runner) adopt(ctx context.Context, id profile.ID, record Record) (*Record, error) {
	dir := r.Home.Profile(int32(id))
	holder, held := chromium.FindHolder(dir.Data(), record.Browser)
	if !held || holder.Host != "" || holder.Debugged {
		// A browser on a dead keeper's pipe is closing by itself.
		if held && holder.Debugged {
			wait, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_ = holder.Wait(wait)
		}
		if !held {
			chromium.ClearLocks(dir.Data())
		}
		removeTraces(dir, record.Socket)
		return nil, nil
	}
	p, err := r.Profile(ctx, id)
	if err != nil {
		r.Log.Warn("a browser of a profile that is not known any more", "profile", id, "err", err)
		p = profile.Profile{ID: id}
	}
	spec := Spec{ID: id, Dir: dir, Log: r.Home.KeeperLog(int32(id)), Version: r.Version, Want: session.Options{Mode: session.Ordinary},
		Options: chromium.Options{DataDir: dir.Data()}, Proxy: p.Proxy}
	adopted, err := r.spawn(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &adopted, nil
}

// watch follows a keeper in the background.
func (r *Runner) watch(id profile.ID, record Record) *handle {
	h := newHandle(record)
	go h.follow(func() *Record { return r.keeperDied(id, h) })
	return h
}

// keeperDied finds out what is left: a person's browser goes on under a new keeper, whose record it answers; nil means that the
// session is over and cleared.
func (r *Runner) keeperDied(id profile.ID, h *handle) *Record {
	r.Log.Warn("a keeper died", "profile", id, "keeper", h.record.PID)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	record, err := r.adopt(ctx, id, h.record)
	if err != nil {
		r.Log.Error("an open browser could not be adopted", "profile", id, "err", err)
	}
	return record
}

// IDs are the profile folders that are on disk, known to the store or not.
func IDs(home paths.Home) (ids []profile.ID, err error) {
	entries, err := os.ReadDir(home.Profiles())
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if id, err := profile.ParseID(e.Name()); err == nil && e.IsDir() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
