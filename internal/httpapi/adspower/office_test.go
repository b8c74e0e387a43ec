package adspower

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/account/pin"
	"cove/internal/app/folders"
	"cove/internal/cookie"
	"cove/internal/event"

	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
	"cove/internal/sqlite"
)

// runner opens browsers that are not there, and remembers how.
type runner struct {
	mu      sync.Mutex
	started []session.Options
}

func (r *runner) Start(_ context.Context, p profile.Profile, o session.Options) (session.Browser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = append(r.started, o)
	return &browser{id: p.ID, mode: o.Mode, done: make(chan struct{})}, nil
}

func (r *runner) Find(context.Context) (map[profile.ID]session.Browser, error) { return nil, nil }

func (r *runner) last(t *testing.T) session.Options {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.started) == 0 {
		t.Fatal("nothing was started")
	}
	return r.started[len(r.started)-1]
}

type browser struct {
	id   profile.ID
	mode session.Mode
	once sync.Once
	done chan struct{}
}

func (b *browser) Mode() session.Mode { return b.mode }
func (b *browser) Ready(context.Context, func(string)) (session.Endpoint, error) {
	e := session.Endpoint{RunID: "r", Mode: b.mode, PID: 7, Opened: time.Unix(1700000000, 0)}
	if b.mode == session.Automation {
		e.Port, e.Path = 40000+int(b.id), "/devtools/browser/uuid-"+b.id.String()
	}
	return e, nil
}
func (b *browser) Stop(context.Context) error     { b.once.Do(func() { close(b.done) }); return nil }
func (b *browser) IsClosing(context.Context) bool { return false }
func (b *browser) Closing() <-chan struct{}       { return nil }
func (b *browser) Done() <-chan struct{}          { return b.done }
func (b *browser) EndReason() session.EndReason   { return session.Stopped }

// access asks the plan of the account, as the app does.
type access struct{ account.Authority }

func (a access) LoggedIn(ctx context.Context) error { _, err := a.Current(ctx); return err }
func (a access) Automation(ctx context.Context) error {
	who, err := a.Current(ctx)
	if err != nil {
		return err
	}
	return who.MayAutomate()
}
func (a access) Agents(_ context.Context, p profile.Profile) error {
	if !p.Policy.Agents() {
		return policy.AgentsOffIn(p.ID.String())
	}
	return nil
}

// jar holds cookies in memory, where a browser would.
type jar struct {
	data map[profile.ID]cookie.Data
	fail error
	// meanwhile happens while cookies are written.
	meanwhile func()
}

func (j *jar) Read(_ context.Context, id profile.ID, _ cookie.Query) (cookie.Data, error) {
	return j.data[id], j.fail
}

func (j *jar) Write(_ context.Context, id profile.ID, data cookie.Data) error {
	if j.fail == nil {
		j.data[id] = data
	}
	if j.meanwhile != nil {
		j.meanwhile()
	}
	return j.fail
}

// computer has the settings in its fields, and knows one browser.
type computer struct {
	keyOff, requireToken bool
}

func (m *computer) FoundBrowser(context.Context, string) bool      { return false }
func (m *computer) CheckBrowser(context.Context, string) error     { return errors.New("none") }
func (m *computer) RequireToken(context.Context) (bool, error)     { return m.requireToken, nil }
func (m *computer) KeyRequired(context.Context) (bool, error)      { return !m.keyOff, nil }
func (m *computer) Driver(context.Context, profile.Profile) string { return "/opt/chromedriver" }

// office is a server with a store, the owner's token and an API token.
type office struct {
	*Server
	t        *testing.T
	db       *sqlite.DB
	computer *computer
	runner   *runner
	jar      *jar
	local    account.Authority
	key      string
}

const (
	port        = 50325
	ownersToken = "cove_owner"
)

func newOffice(t *testing.T) *office {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "cove.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	accounts, err := account.NewLocal(t.Context(), db.Accounts(), ownersToken)
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, db: db, computer: &computer{}, runner: &runner{}, local: accounts,
		jar: &jar{data: map[profile.ID]cookie.Data{}}}
	if o.key, _, err = accounts.CreateToken(t.Context(), "script"); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	var changes event.Feed[api.ProfileEvent]
	profiles := &folders.Profiles{Store: db.Profiles(), Home: paths.Home(t.TempDir()), Log: log, Changes: &changes,
		CheckBrowser: func(string) error { return nil }}
	profiles.Sessions = session.New(session.Config{Profiles: db.Profiles(), Access: access{accounts}, Runner: o.runner,
		Log: log, AtOnce: 2})
	o.Server = New(Config{Port: port, Profiles: profiles, Folders: db.Folders(), Proxies: db.Proxies(),
		Sessions: profiles.Sessions, Accounts: accounts, PIN: pin.New(db), Machine: o.computer, Changes: &changes,
		Storage: o.jar, Log: log})
	return o
}

// add stores a profile.
func (o *office) add(p profile.Profile) profile.Profile {
	o.t.Helper()
	if err := p.Clean(); err != nil {
		o.t.Fatal(err)
	}
	made, err := o.db.Profiles().Create(o.t.Context(), p)
	if err != nil {
		o.t.Fatal(err)
	}
	return made[0]
}

func (o *office) profile(id profile.ID) profile.Profile {
	o.t.Helper()
	p, err := o.db.Profiles().Get(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return p
}

// send makes one call; more are names and values of headers.
func (o *office) send(method, path, body string, more ...string) (status int, answer string) {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, "http://127.0.0.1:50325"+path, strings.NewReader(body))
	for i := 0; i+1 < len(more); i += 2 {
		if more[i] == "Host" {
			r.Host = more[i+1]
			continue
		}
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	return w.Code, strings.TrimSuffix(w.Body.String(), "\n")
}

// call makes a call with the key, and wants HTTP 200.
func (o *office) call(method, path, body string, more ...string) string {
	o.t.Helper()
	status, answer := o.send(method, path, body, append([]string{"Authorization", "Bearer " + o.key}, more...)...)
	if status != http.StatusOK {
		o.t.Errorf("%s %s is answered with %d %s", method, path, status, answer)
	}
	return answer
}

// want makes a call with the key, and compares the whole answer but for an empty list of ignored fields.
func (o *office) want(method, path, body, answer string) {
	o.t.Helper()
	if got := o.call(method, path, body); strings.Replace(got, `,"ignored":[]}`, "}", 1) != answer {
		o.t.Errorf("%s %s %s\n got %s\nwant %s", method, path, body, got, answer)
	}
}

// refused makes a call with the key that must fail with a message that holds some words, and change nothing.
func (o *office) refused(method, path, body string, words ...string) {
	o.t.Helper()
	before := o.picture()
	answer := o.call(method, path, body)
	var e envelope
	if err := json.Unmarshal([]byte(answer), &e); err != nil || e.Code != -1 {
		o.t.Errorf("%s %s %s is answered with %s", method, path, body, answer)
	}
	for _, word := range words {
		if !strings.Contains(e.Msg, word) {
			o.t.Errorf("%s %s %s says %q, without %q", method, path, body, e.Msg, word)
		}
	}
	if !strings.HasSuffix(answer, `,"data":{}}`) {
		o.t.Errorf("%s %s %s: the answer %s has another form", method, path, body, answer)
	}
	if after := o.picture(); after != before {
		o.t.Errorf("%s %s %s changed\n%s\nto\n%s", method, path, body, before, after)
	}
}

// picture is everything that is stored, byte for byte. When a profile was opened is stored after the start is answered.
func (o *office) picture() string {
	o.t.Helper()
	var all []any
	for _, trashed := range []bool{false, true} {
		found, err := o.db.Profiles().List(o.t.Context(), profile.Query{Page: 1, PerPage: 100, Trashed: trashed})
		if err != nil {
			o.t.Fatal(err)
		}
		for i, p := range found.Profiles {
			for o.Sessions.Get(p.ID).State == session.Open && p.Opened.IsZero() {
				<-time.After(time.Millisecond)
				p = o.profile(p.ID)
			}
			found.Profiles[i] = p
		}
		all = append(all, found)
	}
	q, err := o.Proxies.List(o.t.Context(), proxy.Query{Page: 1, PerPage: 100})
	if err != nil {
		o.t.Fatal(err)
	}
	groups, err := o.db.Folders().List(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	raw, err := json.Marshal(append(all, q, groups, o.jar.data))
	if err != nil {
		o.t.Fatal(err)
	}
	return string(raw)
}
