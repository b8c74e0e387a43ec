//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/api"
	"cove/internal/app/suspend"
	"cove/internal/chromium/chromiumtest"
	"cove/internal/interrupt"
	"cove/internal/keeper"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// The test binary is the app's keeper and the keeper's browser, too.
func TestMain(m *testing.M) {
	chromiumtest.Main()
	if len(os.Args) != 3 || os.Args[1] != "keeper" {
		os.Exit(m.Run())
	}
	ctx, stop := interrupt.Context()
	err := keeper.Run(ctx, os.Stdin, os.Stdout, 0, slog.LevelInfo)
	stop()
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// patience bounds every wait of these tests.
const patience = 30 * time.Second

func newHome(t *testing.T) paths.Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "a") // short: the path of a socket has a limit
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	home := paths.Home(dir)
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	return home
}

func newConfig(t *testing.T, home paths.Home) Config {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{Home: home, Version: "1.2.3", Port: freePort(t), Browser: program, Executable: program}
}

// freePort finds a port that is free on both loopback addresses.
func freePort(t *testing.T) int {
	t.Helper()
	listeners, err := listenLoopback(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	port := listeners[0].Addr().(*net.TCPAddr).Port
	for _, l := range listeners {
		_ = l.Close()
	}
	return port
}

// running is an app that answers.
type running struct {
	t *testing.T
	*api.Client
	home paths.Home
	stop context.CancelFunc // as a signal does
	done chan error
}

// run runs an app in this process. At the end of the test its profiles are closed and it is stopped.
func run(t *testing.T, c Config) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t: t, home: c.Home, stop: cancel, done: make(chan error, 1)}
	ready, ended := make(chan api.Status, 1), make(chan struct{})
	go func() {
		defer close(ended)
		r.done <- Run(ctx, c, func(s api.Status) { ready <- s })
	}()
	t.Cleanup(func() { cancel(); <-ended })
	select {
	case s := <-ready:
		token, err := os.ReadFile(c.Home.OwnerToken())
		if err != nil {
			t.Fatal(err)
		}
		r.Client = &api.Client{
			Base:  fmt.Sprintf("http://127.0.0.1:%d", s.APIPort),
			Token: strings.TrimSpace(string(token)), HTTP: http.DefaultClient,
		}
	case err := <-r.done:
		t.Fatalf("the app ended: %v", err)
	case <-time.After(patience):
		t.Fatal("the app does not answer")
	}
	return r
}

// end stops the app and waits for its end.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	if err := <-r.done; err != nil {
		r.t.Errorf("the app ended with %v", err)
	}
}

// start opens a profile for agents, and closes it at the end of the test.
func (r *running) start(id profile.ID) api.Started {
	r.t.Helper()
	s, err := r.Start(r.t.Context(), id, api.StartOptions{Automation: true, Headless: true})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { r.closeKeeper(id) })
	return s
}

// closeKeeper closes a profile that is still open, without the app.
func (r *running) closeKeeper(id profile.ID) {
	record, err := keeperclient.ReadRecord(r.home.Profile(id))
	if err != nil || !record.Alive() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = keeperclient.New(record).Stop(ctx)
	_ = record.Wait(ctx)
}

// access is what the keeper of an open profile enforces.
func (r *running) access(id profile.ID) policy.State {
	r.t.Helper()
	c, err := keeperclient.Find(r.home.Profile(id))
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := c.Access(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	limit, again := time.After(patience), time.NewTicker(5*time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func codeOf(err error) string {
	var f *api.Failure
	if errors.As(err, &f) {
		return string(f.Body.ErrorObject.Code)
	}
	return ""
}

func TestOneAppForADataFolder(t *testing.T) {
	c := newConfig(t, newHome(t))
	r := run(t, c)
	other := c
	other.Port = freePort(t)
	if err := Run(t.Context(), other, func(api.Status) { t.Error("a second app is ready") }); !errors.Is(err,
		ErrRunning) {
		t.Errorf("a second app: %v", err)
	}

	status, err := r.Status(t.Context())
	if err != nil || status.APIPort != c.Port || status.Version != "1.2.3" || status.Home != string(c.Home) ||
		!slices.Equal(status.Bridge, []string{c.Executable, "--home", string(c.Home), "mcp"}) {
		t.Errorf("the status is %+v, %v", status, err)
	}
	f, err := ReadFile(c.Home)
	if err != nil || f.APIPort != c.Port || !f.Alive() {
		t.Errorf("app.json is %+v, %v", f, err)
	}
	if err := os.Remove(c.Home.AppFile()); err != nil {
		t.Fatal(err)
	}
	wait(t, "app.json to come back", func() bool {
		again, err := ReadFile(c.Home)
		return err == nil && reflect.DeepEqual(again, f)
	})
	r.end()
	if _, err := ReadFile(c.Home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("app.json after the end: %v", err)
	}
}

func TestTheFirstRunMakesOneProfileAndATokenAndTheSecondNeither(t *testing.T) {
	c := newConfig(t, newHome(t))
	r := run(t, c)
	all, err := r.Profiles().List(t.Context(), nil)
	if err != nil || len(all.Data) != 1 || all.Data[0].Name != "First profile" {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := r.Profiles().Delete(t.Context(), 1, true); err != nil {
		t.Fatal(err)
	}
	token := r.Token
	r.end()
	r = run(t, c)
	if all, err := r.Profiles().List(t.Context(), nil); err != nil || len(all.Data) != 0 || r.Token != token {
		t.Errorf("the second run: %+v, %v, the same token: %v", all, err, r.Token == token)
	}
}

func TestAPortThatIsInUse(t *testing.T) {
	taken, err := listenLoopback(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range taken {
		defer func() { _ = l.Close() }()
	}
	port := taken[0].Addr().(*net.TCPAddr).Port
	c := newConfig(t, newHome(t))

	c.Port = port
	err = Run(t.Context(), c, func(api.Status) { t.Error("it is ready") })
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(port)) {
		t.Errorf("a port that the person named: %v", err)
	}

	a, err := open(t.Context(), c, discard())
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	a.config.Port = 0
	if _, err := a.machine.SetSetting(t.Context(), "api_port", fmt.Sprint(port)); err != nil {
		t.Fatal(err)
	}
	got, err := a.listen(t.Context())
	if err != nil || got.port == port || !got.occupied ||
		!strings.Contains(got.reason, fmt.Sprintf("port %d is in use by", port)) {
		t.Errorf("a port of the settings: %+v, %v", got, err)
	}
	for _, l := range got.listeners {
		_ = l.Close()
	}
}

func TestAnOpenProfileOutlivesTheApp(t *testing.T) {
	c := newConfig(t, newHome(t))
	first := run(t, c)
	first.start(1)
	before, err := keeperclient.ReadRecord(c.Home.Profile(1))
	if err != nil {
		t.Fatal(err)
	}
	first.end()
	if !before.Alive() || !before.Browser.Alive() {
		t.Fatal("the profile closed with the app")
	}

	// What is stored meanwhile is in force when the next app has found the profile.
	if err := suspend.Write(c.Home); err != nil {
		t.Fatal(err)
	}
	second := run(t, c)
	if after, err := keeperclient.ReadRecord(c.Home.Profile(1)); err != nil || after != before {
		t.Errorf("found %+v, it was %+v (%v)", after, before, err)
	}
	if all, err := second.Running(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("running: %+v, %v", all, err)
	}
	if !second.access(1).Suspended {
		t.Error("the agents are not suspended")
	}
	if err := second.Stop(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	wait(t, "the keeper to end", func() bool { return !before.Alive() })
	if before.Browser.Alive() {
		t.Error("the browser is still running")
	}
}

func TestAPolicyIsInForceAtOnce(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	r.start(1)
	ctx := t.Context()
	if _, err := r.Policy(1).Set(ctx, api.Policy{Preset: "off"}); err != nil {
		t.Fatal(err)
	}
	c, err := keeperclient.Find(r.home.Profile(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.DialMCP(ctx, keeperclient.Greeting{}); err == nil {
		t.Error("an agent came in where the policy is off")
	}
	if err := r.Stop(ctx, 1); err != nil {
		t.Fatal(err)
	}
	_, err = r.Start(ctx, 1, api.StartOptions{Automation: true})
	if codeOf(err) != "E_AGENTS_OFF" {
		t.Errorf("a start where the policy is off: %v", err)
	}
}

func TestAPanicSuspendsOpenProfilesAndKeepsOthersClosed(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	r.start(1)
	ctx := t.Context()
	second, err := r.Profiles().Create(ctx, api.ProfileInput{Name: ptr("second")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Panic(ctx, true)
	if err != nil || !slices.Equal(p.Profiles, []profile.ID{1}) {
		t.Errorf("the panic reached %v, %v", p.Profiles, err)
	}
	if !r.access(1).Suspended {
		t.Error("the open profile is not suspended")
	}
	if _, err := r.Start(ctx, second.ID, api.StartOptions{Automation: true}); codeOf(err) != "E_PANIC" {
		t.Errorf("a start during a panic: %v", err)
	}
	if _, err := r.Panic(ctx, false); err != nil || r.access(1).Suspended {
		t.Errorf("undone: %v, suspended %v", err, r.access(1).Suspended)
	}
}

func TestTheStateOfAnOpenProfileIsFollowed(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := make(chan api.Event, 100)
	go func() { _ = r.Events(ctx, func(e api.Event) { events <- e }) }()
	until := func(what string, ok func(api.Event) bool) {
		t.Helper()
		limit := time.After(patience)
		for {
			select {
			case e := <-events:
				if ok(e) {
					return
				}
			case <-limit:
				t.Fatalf("no event says: %s", what)
			}
		}
	}
	r.start(1)
	until("it is open", func(e api.Event) bool { return e.Session != nil && e.Session.State == string(session.Open) })
	until("its state", func(e api.Event) bool {
		return e.Access != nil && e.Access.Profile == 1 &&
			!e.Access.Takeover
	})
	if _, err := r.Takeover(ctx, 1); err != nil {
		t.Fatal(err)
	}
	until("the person has taken over", func(e api.Event) bool { return e.Access != nil && e.Access.Takeover })
	if got, err := r.GiveBack(ctx, 1); err != nil || !strings.Contains(got.Note, "given the profile back") {
		t.Errorf("%+v, %v", got, err)
	}
	until("the person has given back", func(e api.Event) bool { return e.Access != nil && !e.Access.Takeover })
	if err := r.Decide(ctx, "1-5", api.Decision{Allow: true}); codeOf(err) != "E_NO_REQUEST" {
		t.Errorf("an answer to nothing: %v", err)
	}
	if err := r.Stop(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Takeover(ctx, 1); codeOf(err) != "E_NOT_OPEN" {
		t.Errorf("a closed profile was taken over: %v", err)
	}
	if _, err := r.Takeover(ctx, 99); codeOf(err) != "E_NOT_FOUND" {
		t.Errorf("an unknown profile was taken over: %v", err)
	}
}

func TestAStartThatFails(t *testing.T) {
	t.Setenv(chromiumtest.BehaviourEnv, string(chromiumtest.ExitsAtOnce))
	r := run(t, newConfig(t, newHome(t)))
	_, err := r.Start(t.Context(), 1, api.StartOptions{Automation: true, Headless: true})
	if codeOf(err) != "E_BROWSER_LAUNCH" || !strings.Contains(err.Error(), chromiumtest.LastWords) {
		t.Errorf("got %v", err)
	}
	if all, err := r.Running(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("running: %+v, %v", all, err)
	}
	if _, err := os.Stat(r.home.Profile(1).Keeper()); !errors.Is(err, os.ErrNotExist) {
		t.Error("keeper.json is left")
	}

	p, err := r.Profiles().Get(t.Context(), 1)
	if f := p.StartFailure; err != nil || f == nil || f.Code != "E_BROWSER_LAUNCH" || f.Mode != "automation" ||
		!strings.Contains(f.Text, chromiumtest.LastWords) {
		t.Errorf("the profile does not show why: %+v, %v", f, err)
	}
	var log api.LogLines
	if err := r.Do(t.Context(), http.MethodGet, "/browser_profiles/1/log", nil, &log); err != nil ||
		!strings.Contains(strings.Join(log.Data, "\n"), chromiumtest.LastWords) {
		t.Errorf("the log is %q, %v", log.Data, err)
	}
	t.Setenv(chromiumtest.BehaviourEnv, "")
	r.start(1)
	if p, err = r.Profiles().Get(t.Context(), 1); err != nil || p.StartFailure != nil {
		t.Errorf("after a start that worked: %+v, %v", p.StartFailure, err)
	}
}

func TestAJobOpensAndClosesProfiles(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	for range 2 {
		if _, err := r.Profiles().Create(t.Context(), api.ProfileInput{Name: ptr("more")}); err != nil {
			t.Fatal(err)
		}
	}
	change := func(c api.BulkChange, ids ...profile.ID) api.Job {
		t.Helper()
		job, err := r.Jobs().Start(t.Context(), api.BulkInput{IDs: ids, Change: c})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, "the end of the job", func() bool {
			if job, err = r.Jobs().Get(t.Context(), job.ID); err != nil {
				t.Fatal(err)
			}
			return job.State == "done"
		})
		return job
	}
	r.start(1)
	for id := range profile.ID(3) {
		t.Cleanup(func() { r.closeKeeper(id + 1) })
	}
	opened := change(api.BulkChange{Action: "start", Automation: true, Headless: true}, 1, 2, 3, 99)
	if opened.Done != 3 || opened.Failed != 1 || opened.Failures[0].Profile != 99 {
		t.Errorf("opened: %+v", opened)
	}
	if all, err := r.Running(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	var usage api.Usages
	if err := r.Do(t.Context(), http.MethodGet, "/browser_profiles/usage", nil, &usage); err != nil ||
		len(usage.Data) != 3 || usage.Data[2].Profile != 3 || usage.Data[2].Memory < 1<<20 {
		t.Errorf("usage: %+v, %v", usage, err)
	}
	if trashed := change(api.BulkChange{Action: "trash"}, 1, 2); trashed.Failed != 2 ||
		trashed.Failures[0].Code != "E_PROFILE_OPEN" {
		t.Errorf("open ones in the trash: %+v", trashed)
	}
	if closed := change(api.BulkChange{Action: "stop"}, 1, 2, 3); closed.Done != 3 {
		t.Errorf("closed: %+v", closed)
	}
	if all, err := r.Running(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if trashed := change(api.BulkChange{Action: "trash"}, 1, 2); trashed.Done != 2 {
		t.Errorf("%+v", trashed)
	}
}

func TestATemporaryProfileIsGoneWhenItCloses(t *testing.T) {
	r := run(t, newConfig(t, newHome(t)))
	var p api.Started
	how := map[string]any{"headless": true}
	if err := r.Do(t.Context(), http.MethodPost, "/browser_profiles/start", how, &p); err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(t.Context(), p.ProfileID); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Profiles().Get(t.Context(), p.ProfileID); codeOf(err) != "E_NOT_FOUND" {
		t.Errorf("the profile is there: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(r.home.Profiles(), fmt.Sprint(p.ProfileID)+"*"))
	if len(left) > 0 {
		t.Errorf("left on disk: %v", left)
	}
}

func ptr[T any](v T) *T { return &v }
