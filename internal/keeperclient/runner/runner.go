// Package runner starts a keeper process for each browser that the app opens, finds the keepers that are running, and
// follows them until their browsers close.
package runner

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
	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Runner starts a keeper process for each browser, and finds the keepers that are running already.
type Runner struct {
	Home    paths.Home
	Version string
	Log     *slog.Logger
	// Executable is the program that runs as `cove keeper`.
	Executable string
	// Settings returns the browser that the person prefers and the arguments for every profile.
	Settings func(ctx context.Context) (browser string, args []string, err error)
	// Profile returns a profile, for a browser that must be adopted.
	Profile func(ctx context.Context, id profile.ID) (profile.Profile, error)
	// Extensions returns the extensions that a profile's browser shall have.
	Extensions func(ctx context.Context, id profile.ID) ([]extension.Install, error)
	// Journal returns the location and the bounds of a profile's journal.
	Journal func(ctx context.Context, id profile.ID) (journal.Location, journal.Bounds, error)
	// RequestMinutes returns how long a request of an agent stays open; nil for the usual time.
	RequestMinutes func(ctx context.Context) int
}

var _ session.Runner = (*Runner)(nil)

// minFree is the free disk space below which a browser could not store its data.
const minFree = 64 << 20

// Start spawns a keeper and returns when the keeper has begun to launch the browser.
func (r *Runner) Start(ctx context.Context, p profile.Profile, o session.Options) (session.Browser, error) {
	spec, err := r.spec(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return r.launch(ctx, spec, p)
}

// launch spawns a keeper, and finds what one has left that died before it said that it runs.
func (r *Runner) launch(ctx context.Context, spec keeperclient.Spec, p profile.Profile) (session.Browser, error) {
	record, err := r.spawn(ctx, spec)
	if err != nil {
		found, readErr := keeperclient.ReadRecord(spec.Dir)
		switch {
		case readErr != nil:
		case found.Alive() && errors.Is(err, keeperclient.ErrKeeperRunning):
			// An app that died right after it started a keeper leaves one that had no record yet when this app looked.
			r.Log.Warn("found the keeper of an app that died", "profile", p.ID, "keeper", found.PID)
			record, err = found, nil
		case !found.Alive() && errors.As(err, new(noHello)):
			// The keeper died between its record and its Hello. A person's browser goes on under a new keeper.
			if adopted := r.keeperDied(p.ID, found); adopted != nil {
				record, err = *adopted, nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return r.watch(p.ID, record), nil
}

// noHello is why a keeper that ended without a word did not open a browser: its log may know.
type noHello struct{ log string }

func (n noHello) Error() string { return "see " + n.log }

// sharedSpec is spec for a profile that stands for a person's browser: there is nothing to launch.
func (r *Runner) sharedSpec(ctx context.Context, p profile.Profile, o session.Options) (keeperclient.Spec, error) {
	location, bounds, err := r.Journal(ctx, p.ID)
	if err != nil {
		return keeperclient.Spec{}, err
	}
	dir := r.Home.Profile(p.ID)
	return keeperclient.Spec{
		ID: p.ID, Name: p.Name, Dir: dir, Log: r.Home.KeeperLog(p.ID), Version: r.Version, Requested: o,
		Options: chromium.Options{DataDir: dir.Data()}, Policy: p.Policy, External: p.External, Panic: r.Home.Panic(),
		Journal: location, Bounds: bounds, RequestMinutes: r.requestMinutes(ctx),
	}, nil
}

// spec decides how a profile is opened, and refuses what cannot work before a process is started.
func (r *Runner) spec(ctx context.Context, p profile.Profile, o session.Options) (keeperclient.Spec, error) {
	if p.External.Set() {
		return r.sharedSpec(ctx, p, o)
	}
	preferred, args, err := r.Settings(ctx)
	if err != nil {
		return keeperclient.Spec{}, err
	}
	var asked []string
	if o.Launch != nil {
		p.Args, asked = o.Launch.Args, o.Launch.Pages
	}
	if err := p.CheckArgs(); err != nil { // the profile may be older than the rule
		const hint = "Give the profile its other arguments anew, without it:" +
			" cove profile edit %d --arg=…, or --arg= for none."
		return keeperclient.Spec{}, fault.From(err).WithHint(fmt.Sprintf(hint, p.ID))
	}
	if p.ProxyID != 0 && !p.Proxy.Set() { // it must not go to the web directly
		const text, hint = "The proxy of profile %d is not there any more, so the profile was not opened.",
			"Give the profile another one with: cove profile edit %d --proxy … (\"\" for none)."
		return keeperclient.Spec{}, fault.Unprocessablef("proxy", text, p.ID).WithHint(fmt.Sprintf(hint, p.ID))
	}
	b, err := findBrowser(ctx, p, preferred)
	if err != nil {
		return keeperclient.Spec{}, err
	}
	location, bounds, err := r.Journal(ctx, p.ID)
	if err != nil {
		return keeperclient.Spec{}, err
	}
	extensions, err := r.Extensions(ctx, p.ID)
	if err != nil {
		return keeperclient.Spec{}, err
	}
	dir := r.Home.Profile(p.ID)
	if err := chromium.CheckDowngrade(dir.Data(), b); err != nil {
		return keeperclient.Spec{}, err
	}
	if free, err := process.FreeBytes(string(r.Home)); err == nil && free < minFree {
		const text = "The disk is nearly full (%d MB free), so the profile was not opened."
		return keeperclient.Spec{}, fault.DiskFull(fmt.Sprintf(text, free>>20))
	}

	options := chromium.Options{
		DataDir: dir.Data(), Headless: o.Headless || !chromium.HasDisplay(), Pages: p.StartPages, Requested: asked,
		Window: p.Window, Locale: p.Locale, Timezone: p.Timezone, Extra: append(args[:len(args):len(args)], p.Args...),
		PageTools: o.Mode == session.Automation && p.PageTools != profile.PageToolsOff,
	}
	if why := chromium.NoSandbox(b.Path); why != "" {
		r.Log.Warn("the browser runs without its sandbox", "profile", p.ID, "why", why)
		options.NoSandbox = true
	}
	return keeperclient.Spec{
		ID: p.ID, Name: p.Name, Dir: dir, Log: r.Home.KeeperLog(p.ID), Version: r.Version, Requested: o,
		Browser: b.Path, Options: options, Proxy: p.Proxy, Policy: p.Policy, Panic: r.Home.Panic(),
		Journal: location, Bounds: bounds, Extensions: extensions, RequestMinutes: r.requestMinutes(ctx),
	}, nil
}

func (r *Runner) requestMinutes(ctx context.Context) int {
	if r.RequestMinutes == nil {
		return 0
	}
	return r.RequestMinutes(ctx)
}

// findBrowser finds the profile's own browser, or else the one that the person prefers.
func findBrowser(ctx context.Context, p profile.Profile, preferred string) (chromium.Browser, error) {
	b, err := chromium.Find(ctx, p.Browser, preferred)
	if err != nil && p.Browser != "" {
		const hint = "Give the profile another one with: cove profile edit %d --browser PATH (\"\" leaves it to Cove)."
		err = fault.From(err).WithHint(fmt.Sprintf(hint, p.ID))
	}
	return b, err
}

// spawn starts the keeper process and waits for its Hello.
func (r *Runner) spawn(ctx context.Context, spec keeperclient.Spec) (keeperclient.Record, error) {
	spec.App = process.Self()
	raw, err := json.Marshal(spec)
	if err != nil {
		return keeperclient.Record{}, err
	}
	// A panic of Go's runtime goes to standard error, and not to the keeper's log.
	stderr, err := paths.AppendTo(spec.Log)
	if err != nil {
		return keeperclient.Record{}, keeperclient.LaunchFault("The keeper's log cannot be written", err)
	}
	defer func() { _ = stderr.Close() }()
	// It outlives the start.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), r.Executable, "keeper", spec.ID.String())
	cmd.Dir = string(r.Home)
	cmd.Stderr = stderr
	process.Detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return keeperclient.Record{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return keeperclient.Record{}, err
	}
	if err := cmd.Start(); err != nil {
		return keeperclient.Record{}, keeperclient.LaunchFault("The keeper does not start", err)
	}
	_, _ = in.Write(raw)
	_ = in.Close()

	said := make(chan keeperclient.Hello, 1)
	go func() {
		var h keeperclient.Hello
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		if json.Unmarshal(line, &h) != nil || (h.Record == nil && h.Fault == nil) {
			h = keeperclient.Hello{Fault: keeperclient.LaunchFault("The keeper ended at once", noHello{spec.Log})}
		}
		said <- h
		_ = cmd.Wait() // the keeper is our child until the app ends
	}()
	select {
	case h := <-said:
		if h.Fault != nil {
			return keeperclient.Record{}, h.Fault
		}
		return *h.Record, nil
	case <-ctx.Done():
		return keeperclient.Record{}, r.giveUp(cmd, said)
	}
}

// giveUp ends a keeper that nobody waits for any more. The keeper closes its browser as soon as it can be asked to.
func (r *Runner) giveUp(cmd *exec.Cmd, said <-chan keeperclient.Hello) error {
	select {
	case h := <-said:
		if h.Record != nil {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			_ = keeperclient.New(*h.Record).StopAndWait(ctx)
		}
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill() // the browser on its pipe ends with the keeper
	}
	return context.Canceled
}

// Find returns the browsers whose keepers are alive. It adopts ordinary browsers whose keeper died, and removes the
// files that dead keepers left.
func (r *Runner) Find(ctx context.Context) (map[profile.ID]session.Browser, error) {
	ids, err := keeperclient.ProfileIDs(r.Home)
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

// find looks for the browser of one profile. It never fails because of a bad record; nil means that there is none.
func (r *Runner) find(ctx context.Context, id profile.ID) session.Browser {
	dir := r.Home.Profile(id)
	record, err := keeperclient.ReadRecord(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.Log.Warn("a keeper's record cannot be read", "profile", id, "err", err)
	}
	if err == nil && record.Alive() {
		if record.Protocol != keeperclient.Protocol {
			r.Log.Warn("a keeper of another version",
				"profile", id, "keeper", record.Version, "protocol", record.Protocol)
		}
		return r.watch(id, record)
	}
	if late, ok := keeperclient.AwaitRecord(dir); ok {
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

// adopt starts a new keeper for a person's browser that lost its own, and returns its record. It returns nil when
// there is no such browser, and removes the files that are stale.
func (r *Runner) adopt(ctx context.Context, id profile.ID, record keeperclient.Record) (*keeperclient.Record, error) {
	dir := r.Home.Profile(id)
	owner, open := chromium.FindOwner(dir.Data(), record.Browser)
	if !open || owner.Host != "" || owner.Debugged {
		if open && owner.Debugged {
			_ = chromium.EndOrphan(ctx, owner.ID, r.Log) // what is still there, the next start ends
			_, open = chromium.FindOwner(dir.Data(), record.Browser)
		}
		if !open {
			chromium.ClearLocks(dir.Data())
		}
		keeperclient.RemoveRuntimeFiles(dir, record.Socket)
		return nil, nil
	}
	p, err := r.Profile(ctx, id)
	if err != nil {
		r.Log.Warn("a browser of a profile that is not known any more", "profile", id, "err", err)
		p = profile.Profile{ID: id}
	}
	adopted, err := r.spawn(ctx, keeperclient.Spec{
		ID: id, Dir: dir, Log: r.Home.KeeperLog(id), Version: r.Version,
		Requested: session.Options{Mode: session.Ordinary}, Options: chromium.Options{DataDir: dir.Data()},
		Proxy: p.Proxy,
	})
	if err != nil {
		return nil, err
	}
	return &adopted, nil
}

// watch follows a keeper in the background.
func (r *Runner) watch(id profile.ID, record keeperclient.Record) *browser {
	b := newBrowser(id, record)
	go b.follow(func(last keeperclient.Record) *keeperclient.Record { return r.keeperDied(id, last) })
	return b
}

// keeperDied finds out what a dead keeper left. A person's browser goes on under a new keeper, whose record it returns;
// nil means that the session is over and its files are removed.
func (r *Runner) keeperDied(id profile.ID, last keeperclient.Record) *keeperclient.Record {
	r.Log.Warn("a keeper died", "profile", id, "keeper", last.PID)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	record, err := r.adopt(ctx, id, last)
	if err != nil {
		r.Log.Error("an open browser could not be adopted", "profile", id, "err", err)
	}
	return record
}
