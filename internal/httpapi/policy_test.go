package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/account/pin"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/signin"
	"cove/internal/job"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
	"cove/internal/sqlite"
)

// fakeDesks remembers what it was asked.
type fakeAccess struct {
	Access
	heard []string
	fail  error
	on    bool
	feed  event.Feed[api.Event]
}

func (f *fakeAccess) record(what string) error {
	f.heard = append(f.heard, what)
	return f.fail
}

func (f *fakeAccess) Apply(_ context.Context, id profile.ID) error {
	return f.record("apply " + id.String())
}
func (f *fakeAccess) Decide(_ context.Context, id profile.ID, request string, d api.Decision) error {
	if d.Allow {
		return f.record("yes " + id.String() + " " + request)
	}
	return f.record("no " + id.String() + " " + request)
}
func (f *fakeAccess) GiveBack(context.Context, profile.ID) (api.Takeover, error) {
	return api.Takeover{}, f.record("give back")
}
func (f *fakeAccess) Takeover(context.Context, profile.ID) (api.Takeover, error) {
	return api.Takeover{}, f.record("take over")
}
func (f *fakeAccess) ControlTab(_ context.Context, _ profile.ID, in api.LiveControl) error {
	return f.record(map[bool]string{true: "control ", false: "hand back "}[in.On] + in.Tab)
}
func (f *fakeAccess) SendInput(context.Context, profile.ID, api.LiveInput) (api.LiveInputResult, error) {
	return api.LiveInputResult{}, f.record("input")
}
func (f *fakeAccess) Panic() bool { return f.on }
func (f *fakeAccess) SetPanic(_ context.Context, on bool) ([]profile.ID, error) {
	f.on = on
	return []profile.ID{}, f.record("panic")
}
func (f *fakeAccess) Pause(_ context.Context, _ profile.ID, agent string, on bool) error {
	return f.record(fmt.Sprint("pause ", agent, on))
}
func (f *fakeAccess) Disconnect(_ context.Context, _ profile.ID, agent string) error {
	return f.record("disconnect " + agent)
}
func (f *fakeAccess) All() []api.Access {
	return []api.Access{{Profile: 1, Requests: []api.Approval{{ID: "1-1", Picture: []byte{1}}}}}
}
func (f *fakeAccess) Requests() api.Requests {
	open := api.Request{ID: "1-1", Profile: 1, Kind: "approve", State: "asked", Class: "submit", Rule: "https://a.test",
		Picture: []byte{1}}
	return api.Requests{Data: []api.Request{open}, History: []api.Request{}}
}
func (f *fakeAccess) FindRequest(_ context.Context, id profile.ID, request string) (api.Request, bool) {
	one := f.Requests().Data[0]
	return one, id == one.Profile && request == "1"
}
func (f *fakeAccess) Answer(_ context.Context, _ profile.ID, request, by string, in api.Answer) error {
	raw, _ := json.Marshal(in)
	return f.record(by + " " + request + " " + string(raw))
}
func (f *fakeAccess) CheckRequestKey(_ context.Context, _ profile.ID, _, key string) error {
	if key != "k" {
		return fault.New(fault.CodeNoRequest, "No.", "")
	}
	return nil
}
func (f *fakeAccess) MarkSeen(_ context.Context, _ profile.ID, request string, working bool) error {
	return f.record(fmt.Sprint("seen ", request, working))
}
func (f *fakeAccess) CreateRequest(_ context.Context, _ profile.ID, in api.NewRequest) (api.Request, error) {
	return api.Request{What: in.Message}, f.record("ask " + in.Message)
}
func (f *fakeAccess) AwaitRequest(
	_ context.Context, _ profile.ID, request string, d time.Duration,
) (api.Request, error) {
	return api.Request{}, f.record("await " + request + " " + d.String())
}
func (f *fakeAccess) WithdrawRequest(_ context.Context, _ profile.ID, request string) (api.Request, error) {
	return api.Request{}, f.record("withdraw " + request)
}
func (f *fakeAccess) Subscribe() *event.Sub[api.Event] { return f.feed.Subscribe(16) }

// rows is the store without folders.
type rows struct{ *sqlite.Profiles }

func (rows) Clone(context.Context, profile.ID, string, bool) (profile.Profile, error) {
	return profile.Profile{}, errors.New("not here")
}

// settings takes everything.
type settings struct{ anySetting }

func (settings) RequireToken(context.Context) (bool, error) { return false, nil }

func (settings) SetSetting(_ context.Context, key, value string) (api.Setting, error) {
	return api.Setting{Key: key, Value: value}, nil
}

// office is a server with a store, the owner's token and an API token of the owner.
type office struct {
	*Server
	t      *testing.T
	access *fakeAccess
	jobs   *job.Jobs
	token  string
}

const ownersToken = "cove_owner"

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
	if _, err := db.Profiles().Create(t.Context(), profile.Profile{Name: "one"}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, access: &fakeAccess{}, jobs: job.New()}
	t.Cleanup(o.jobs.Close)
	if o.token, _, err = accounts.CreateToken(t.Context(), "ci"); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	o.Server = New(Config{Accounts: accounts, Machine: settings{}, Access: o.access, PIN: pin.New(db),
		Profiles: rows{db.Profiles()}, Batches: db.Profiles(), Proxies: db.Proxies(), Folders: db.Folders(),
		Statuses: db.Statuses(), Views: db.Views(), Jobs: o.jobs,
		Sessions: session.New(session.Config{Profiles: db.Profiles(), Log: log, AtOnce: 1}),
		About:    api.Status{APIPort: api.DefaultPort}, Log: log})
	return o
}

// rebuild makes the server again from a changed configuration.
func (o *office) rebuild(change func(*Config)) {
	c := o.config
	change(&c)
	o.Server = New(c)
}

// send makes one call; more are names and values of headers.
func (o *office) send(token, method, path, body string, more ...string) (status int, code, answer string) {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, "http://127.0.0.1:3001/v1.0"+path,
		strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	var e api.Error
	_ = json.Unmarshal(w.Body.Bytes(), &e)
	return w.Code, string(e.ErrorObject.Code), w.Body.String()
}

func (o *office) want(status int, code, token, method, path, body string, more ...string) {
	o.t.Helper()
	if s, c, answer := o.send(token, method, path, body, more...); s != status || c != code {
		o.t.Errorf("%s %s %s answers %d %s, not %d %s: %s", method, path, body, s, c, status, code, answer)
	}
}

const policyPath = "/browser_profiles/1/policy"

func TestPolicyIsStoredAndHandedOn(t *testing.T) {
	o := newOffice(t)
	const tight = `{"preset":"guarded","sites":{"allow":["HTTPS://Example.com/"]},"rights":{"upload":"no","act":"yes"},"oneDriver":true}`
	o.want(200, "", o.token, "PUT", policyPath, tight) // tightening needs no more than a token
	_, _, answer := o.send(o.token, "GET", policyPath, "")
	var got api.PolicyData
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	if d := got.Data; d.Preset != "guarded" || !slices.Equal(d.Sites.Allow, []string{"https://example.com"}) ||
		len(d.Rights) != 1 || !d.OneDriver || got.Rights["upload"] != "no" || got.Rights["submit"] != "ask" ||
		len(got.Words) < 3 {
		t.Errorf("got %s", answer)
	}
	if !slices.Equal(o.access.heard, []string{"apply 1"}) {
		t.Errorf("the open profile heard %v", o.access.heard)
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"preset":"loose"}`, `{"preset":"open","site":{}}`,
		`{"preset":"open","sites":{"allow":["x y"]}}`, `{"preset":"open","sites":{"deny":[]}}`,
		`{"preset":"open","rights":{"fly":"yes"}}`, `{"preset":"open","rights":{"act":"maybe"}}`,
		`{"preset":"open","answerers":[""]}`} {
		o.want(400, "E_INVALID", ownersToken, "PUT", policyPath, bad)
	}
	// What a profile is can be changed without touching it, and not with it.
	o.want(400, "E_INVALID", ownersToken, "PATCH", "/browser_profiles/1", `{"notes":"x","policy":{"preset":"open"}}`)
	o.want(200, "", o.token, "PATCH", "/browser_profiles/1", `{"notes":"x","policy":null}`)
	o.want(200, "", o.token, "PUT", "/browser_profiles/1", `{"name":"two"}`)
	if _, _, again := o.send(o.token, "GET", policyPath, ""); again != answer {
		t.Errorf("an edit of the profile made %s of it", again)
	}
	o.want(400, "E_INVALID", o.token, "POST", "/browser_profiles", `{"name":"x","policy":{"preset":"loose"}}`)
	_, _, made := o.send(o.token, "POST", "/browser_profiles", `{"name":"x","policy":{"preset":"read-only"}}`)
	if _, _, p := o.send(o.token, "GET", "/browser_profiles/2/policy", ""); !strings.Contains(p,
		`"preset":"read-only"`) {
		t.Errorf("a new profile %s has %s", made, p)
	}
	if _, _, p := o.send(o.token, "GET", "/browser_profiles/2", ""); !strings.Contains(p, `"agents":"read-only"`) {
		t.Errorf("a profile does not tell its preset: %s", p)
	}
	o.want(400, "E_INVALID", o.token, "POST", "/browser_profiles", `{"name":"x","policy":{"preset":"off","site":{}}}`)
	o.want(400, "E_INVALID", o.token, "POST", "/browser_profiles/mass",
		`{"profiles":[{"name":"x","policy":{"preset":"off","site":{}}}]}`)
	o.access.fail = fault.New(fault.CodePolicyNotInForce, "stored only", "")
	o.want(503, "E_POLICY_NOT_IN_FORCE", ownersToken, "PUT", policyPath, `{"preset":"off"}`)
}

func TestOnlyThePersonLetsAgentsDoMore(t *testing.T) {
	o := newOffice(t)
	tighten := func() {
		t.Helper()
		o.want(200, "", o.token, "PUT", policyPath, `{"preset":"read-only"}`)
		o.access.heard = nil
	}
	loosening := []struct{ method, path, body, heard string }{
		{"PUT", policyPath, `{"preset":"open"}`, "apply 1"}, {"POST", "/approvals/3-17", `{"allow":true}`, "yes 3 17"},
		{"POST", "/panic", `{"on":false}`, "panic"}, {"POST", "/browser_profiles/1/giveback", "", "give back"},
		{"POST", "/browser_profiles/1/live/control", `{"tab":"A","on":false}`, "hand back A"},
	}
	for _, c := range loosening {
		tighten()
		o.want(403, "E_NOT_PERSON", o.token, c.method, c.path, c.body)
		o.want(401, "E_UNAUTHORIZED", "", c.method, c.path, c.body)
		if len(o.access.heard) > 0 {
			t.Errorf("%s was done all the same: %v", c.path, o.access.heard)
		}
		o.want(200, "", ownersToken, c.method, c.path, c.body)
		if !slices.Equal(o.access.heard, []string{c.heard}) {
			t.Errorf("%s: heard %v", c.path, o.access.heard)
		}
	}
	// What the person sees is not for programs.
	o.want(403, "E_NOT_PERSON", o.token, "GET", "/browser_profiles/1/live", "")
	o.want(403, "E_NOT_PERSON", o.token, "GET", "/activity", "")
	o.want(404, "E_NOT_OPEN", ownersToken, "GET", "/browser_profiles/1/live", "")
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/browser_profiles/1/live/control", `{"tab":"A","on":true}`)
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/browser_profiles/1/live/input", `{"tab":"A","pic":1,"events":[]}`)
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/browser_profiles/1/live/files?tab=A", "")
	o.want(403, "E_NOT_PERSON", o.token, "GET", "/browser_profiles/1/live/download?id=A", "")
	// With a PIN the token alone is not enough.
	o.want(403, "E_NOT_PERSON", o.token, "PUT", "/pin", `{"pin":"4711"}`)
	o.want(400, "E_INVALID", ownersToken, "PUT", "/pin", `{"pin":"1"}`)
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	loosening = append(loosening, []struct{ method, path, body, heard string }{
		{"PUT", "/settings/require_token", `{"value":"false"}`, ""},
		{"PUT", "/settings/browser", `{"value":"/tmp/x"}`, ""}, {"POST", "/pin/unlock", "", ""},
		{"PATCH", "/browser_profiles/1", `{"args":["--mute-audio"]}`, ""},
		{"PATCH", "/browser_profiles/1", `{"browser":"/bin/sh"}`, ""},
	}...)
	for _, c := range loosening {
		tighten()
		o.want(403, "E_NOT_PERSON", o.token, c.method, c.path, c.body)
		o.want(403, "E_PIN_REQUIRED", ownersToken, c.method, c.path, c.body)
		if len(o.access.heard) > 0 {
			t.Errorf("%s was done without the PIN: %v", c.path, o.access.heard)
		}
		o.want(200, "", ownersToken, c.method, c.path, c.body, "Cove-Pin", "4711")
	}
	for _, c := range []struct{ method, path, body string }{ // what keeps agents back needs no PIN
		{"PUT", policyPath, `{"preset":"off"}`}, {"POST", "/approvals/3-17", `{"allow":false}`},
		{"POST", "/panic", `{"on":true}`},
		{"POST", "/browser_profiles/1/live/control", `{"tab":"A","on":true}`},
		{"POST", "/browser_profiles/1/live/input", `{"tab":"A","pic":1,"events":[]}`},
		{"POST", "/browser_profiles/1/takeover", ""}, {"PUT", "/settings/require_token", `{"value":"true"}`},
		{"PATCH", "/browser_profiles/1", `{"notes":"x"}`},
	} {
		o.want(200, "", ownersToken, c.method, c.path, c.body)
	}
	o.want(403, "E_PIN_WRONG", ownersToken, "PUT", "/pin", `{"pin":"0000"}`, "Cove-Pin", "1111")
	o.want(403, "E_PIN_WRONG", ownersToken, "DELETE", "/pin", "", "Cove-Pin", "1112")
	o.want(403, "E_PIN_WRONG", ownersToken, "POST", "/approvals/3-17", `{"allow":true}`, "Cove-Pin", "1113")
	o.want(429, "E_PIN_SLOWED", ownersToken, "POST", "/approvals/3-17", `{"allow":true}`, "Cove-Pin", "4711")
	o.want(403, "E_PIN_REQUIRED", ownersToken, "DELETE", "/pin", "")
}

func TestApprovalsAreNotAnsweredByNonsense(t *testing.T) {
	o := newOffice(t)
	for _, id := range []string{"3", "3-", "-1", "x-1", "03-1"} {
		o.want(404, "E_NO_REQUEST", ownersToken, "POST", "/approvals/"+id, `{"allow":true}`)
	}
	o.want(400, "E_INVALID", ownersToken, "POST", "/panic", `{}`)
	if len(o.access.heard) > 0 {
		t.Errorf("heard %v", o.access.heard)
	}
	if _, _, answer := o.send(o.token, "GET", "/approvals", ""); !strings.Contains(answer, `"picture":"AQ=="`) {
		t.Errorf("the list is %s", answer)
	}
}

func TestOnlyThePersonAnswersARequest(t *testing.T) {
	o := newOffice(t)
	for _, c := range []struct{ path, body string }{
		{"/asks/1-1", `{"allow":true}`}, {"/asks/1-1", `{"allow":false}`}, {"/asks/1-1", `{"done":true}`},
		{"/asks/1-1", `{"code":"4711"}`}, {"/asks/1-1/seen", `{"working":true}`},
	} {
		o.want(401, "E_UNAUTHORIZED", "", "POST", c.path, c.body)
		o.want(403, "E_NOT_PERSON", o.token, "POST", c.path, c.body)
	}
	for _, body := range []string{`{}`, `{"allow":true,"done":true}`, `{"allow":true,"scope":"world"}`, `{"note":"x"}`} {
		o.want(400, "E_INVALID", ownersToken, "POST", "/asks/1-1", body)
	}
	for _, id := range []string{"3", "3-", "-1", "x-1", "1-2"} {
		o.want(404, "E_NO_REQUEST", ownersToken, "POST", "/asks/"+id, `{"allow":true}`)
	}
	if len(o.access.heard) > 0 {
		t.Fatalf("heard %v", o.access.heard)
	}
	o.want(200, "", ownersToken, "POST", "/asks/1-1", `{"decline":true,"note":"no"}`)
	o.want(200, "", ownersToken, "POST", "/asks/1-1/seen", ``)
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	o.want(403, "E_PIN_REQUIRED", ownersToken, "POST", "/asks/1-1", `{"allow":true}`)
	o.want(200, "", ownersToken, "POST", "/asks/1-1", `{"code":"123456"}`) // grants nothing
	o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"guarded"}`)
	o.access.heard = nil
	o.want(200, "", ownersToken, "POST", "/asks/1-1", `{"allow":true,"scope":"site"}`, "Cove-Pin", "4711")
	want := []string{`person 1 {"allow":true,"scope":"site"}`, "apply 1"}
	if !slices.Equal(o.access.heard, want) {
		t.Errorf("heard %v", o.access.heard)
	}
	_, _, answer := o.send(o.token, "GET", policyPath, "")
	if !strings.Contains(answer, `"always":{"https://a.test":["submit"]}`) {
		t.Errorf("the policy is %s", answer)
	}
}

func TestAProgramAsksAPerson(t *testing.T) {
	o := newOffice(t)
	const asks = "/browser_profiles/1/asks"
	o.want(401, "E_UNAUTHORIZED", "", "POST", asks, `{"message":"Help"}`)
	o.want(400, "E_INVALID", o.token, "POST", asks, `{}`)
	o.want(200, "", o.token, "POST", asks, `{"message":"Help"}`)
	o.want(200, "", o.token, "GET", asks, "")
	o.want(404, "E_NO_REQUEST", o.token, "GET", asks+"/2-1", "")
	o.want(400, "E_INVALID", o.token, "GET", asks+"/1-1?wait=9999", "")
	o.want(200, "", o.token, "GET", asks+"/1-1?wait=20", "")
	o.want(200, "", o.token, "DELETE", asks+"/1-1", "")
	if want := []string{"ask Help", "await 1 20s", "withdraw 1"}; !slices.Equal(o.access.heard, want) {
		t.Errorf("heard %v", o.access.heard)
	}
}

func TestTheEventsTellOfAgentsOnlyWithACredential(t *testing.T) {
	for token, told := range map[string]bool{"": false, ownersToken: true} {
		o := newOffice(t)
		o.rebuild(func(c *Config) { c.Changes = &event.Feed[api.ProfileEvent]{} })
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:3001/v1.0/events", nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		close(o.ended) // it sends what there is, then ends
		w := httptest.NewRecorder()
		o.ServeHTTP(w, r)
		body := w.Body.String()
		if strings.Contains(body, "event: access") != told || strings.Contains(body, "event: panic") != told ||
			strings.Contains(body, "event: request") != told ||
			strings.Contains(body, "picture") {
			t.Errorf("with %q: %s", token, body)
		}
	}
}

func TestAGuardedProfilesPathIsForCredentials(t *testing.T) {
	o := newOffice(t)
	p := session.Status{ID: 1, Endpoint: session.Endpoint{Port: 1, Path: "/devtools/browser/x"}}
	shown := func(token string) bool {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		a := o.handlers().sessions.Automation(o.credentials.New(httptest.NewRecorder(), r), p)
		if a.Port != 1 || (a.WSEndpoint == "") != (a.WebSocketDebuggerURL == "") {
			t.Errorf("got %+v", a)
		}
		return a.WSEndpoint != ""
	}
	for preset, bare := range map[policy.Preset]bool{policy.Open: true, policy.Guarded: false, policy.ReadOnly: false} {
		o.want(200, "", ownersToken, "PUT", policyPath, `{"preset":"`+string(preset)+`"}`)
		if shown("") != bare || shown("nonsense") != bare || !shown(o.token) || !shown(ownersToken) {
			t.Errorf("%s: shown to %v %v %v", preset, shown(""), shown(o.token), shown(ownersToken))
		}
	}
}

// window signs a page in and returns its headers.
func (o *office) window() []string {
	o.t.Helper()
	_, _, answer := o.send(ownersToken, "POST", "/ui/code", "", call.HeaderPIN, "4711")
	var made api.WindowCode
	if err := json.Unmarshal([]byte(answer), &made); err != nil || made.Code == "" {
		o.t.Fatal(answer)
	}
	page, status := windowTest{o.t, o.Server}.exchange(made.Code)
	if status != 200 {
		o.t.Fatal(status)
	}
	return page
}

func TestTheWindowIsThePersonAndUnlocksForAWhile(t *testing.T) {
	o := newOffice(t)
	page, other := o.window(), o.window()
	const loosen, tight = `{"preset":"open"}`, `{"preset":"guarded"}`
	o.want(200, "", "", "PUT", policyPath, tight, page...)
	o.want(200, "", "", "PUT", policyPath, loosen, page...) // no PIN yet
	// a token that goes along counts, not the page
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/approvals/1-1", `{"allow":true}`, page...)
	o.want(200, "", "", "PUT", "/pin", `{"pin":"4711"}`, page...)
	o.want(200, "", "", "PUT", policyPath, tight, page...)
	o.want(403, "E_PIN_REQUIRED", "", "PUT", policyPath, loosen, page...)
	o.want(403, "E_PIN_WRONG", "", "POST", "/pin/unlock", "", append(page, call.HeaderPIN, "1111")...)
	o.want(403, "E_PIN_REQUIRED", "", "PUT", policyPath, loosen, page...)
	o.want(200, "", "", "POST", "/pin/unlock", "", append(page, call.HeaderPIN, "4711")...)
	o.want(200, "", "", "PUT", policyPath, loosen, page...)
	o.want(200, "", "", "POST", "/approvals/1-1", `{"allow":true}`, page...)
	o.want(200, "", "", "POST", "/ui/code", "", page...)
	if _, _, answer := o.send("", "GET", "/pin", "", page...); !strings.Contains(answer, `"unlocked":true`) {
		t.Errorf("%s", answer)
	}
	// This window only, and never to change the PIN.
	o.want(403, "E_PIN_REQUIRED", "", "POST", "/approvals/1-1", `{"allow":true}`, other...)
	o.want(403, "E_PIN_REQUIRED", ownersToken, "POST", "/approvals/1-1", `{"allow":true}`)
	o.want(403, "E_PIN_REQUIRED", "", "DELETE", "/pin", "", page...)
	o.want(200, "", "", "PUT", "/pin", `{"pin":"4712"}`, append(page, call.HeaderPIN, "4711")...)
	// a new PIN locks every window
	o.want(403, "E_PIN_REQUIRED", "", "POST", "/approvals/1-1", `{"allow":true}`, page...)
	// Half of a page's credential is nobody.
	o.want(403, "E_FORBIDDEN_ORIGIN", "", "POST", "/approvals/1-1", `{"allow":false}`,
		append(page[:4:4], signin.Header, "x")...)
}

func TestAWindowIsSignedInWithThePIN(t *testing.T) {
	o := newOffice(t)
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/ui/code", "") // a program's token would make itself a person
	o.want(403, "E_NOT_PERSON", o.token, "POST", "/ui/code", `{"ask":true}`)
	o.want(200, "", ownersToken, "PUT", "/pin", `{"pin":"4711"}`)
	o.want(403, "E_PIN_REQUIRED", ownersToken, "POST", "/ui/code", "")
	o.want(200, "", ownersToken, "POST", "/ui/code", "", call.HeaderPIN, "4711")
	_, _, answer := o.send(ownersToken, "POST", "/ui/code", `{"ask":true}`)
	var made api.WindowCode
	if err := json.Unmarshal([]byte(answer), &made); err != nil || made.Code == "" {
		t.Fatal(answer)
	}
	body := `{"code":"` + made.Code + `"}`
	o.want(403, "E_PIN_REQUIRED", "", "POST", "/ui/session", body)
	o.want(403, "E_PIN_WRONG", "", "POST", "/ui/session", body, call.HeaderPIN, "1111")
	o.want(401, "E_CODE", "", "POST", "/ui/session", `{"code":"guess"}`, call.HeaderPIN, "4711")
	o.want(200, "", "", "POST", "/ui/session", body, call.HeaderPIN, "4711")
	o.want(403, "E_PIN_REQUIRED", ownersToken, "POST", "/ui/code", "")
	o.want(401, "E_CODE", "", "POST", "/ui/session", body, call.HeaderPIN, "4711") // once
}

func TestAnyCredentialPausesAnAgentAndThePersonLetsItContinue(t *testing.T) {
	o := newOffice(t)
	const agent = "/browser_profiles/1/agents/abc"
	o.want(401, "E_UNAUTHORIZED", "", "POST", agent, `{"pause":true}`)
	o.want(400, "E_INVALID", o.token, "POST", agent, `{}`)
	o.want(200, "", o.token, "POST", agent, `{"pause":true}`)
	o.want(403, "E_NOT_PERSON", o.token, "POST", agent, `{"pause":false}`)
	o.want(200, "", ownersToken, "POST", agent, `{"pause":false}`)
	o.want(200, "", o.token, "DELETE", agent, "")
	if want := []string{"pause abctrue", "pause abcfalse", "disconnect abc"}; !slices.Equal(o.access.heard, want) {
		t.Errorf("heard %v", o.access.heard)
	}
}

func TestAPolicyIsTestedBeforeItIsSaved(t *testing.T) {
	o := newOffice(t)
	const path = "/policy/test"
	const rules = `"policy":{"preset":"guarded","sites":{"allow":["https://*.example.com"],"block":["pay.example.com"]}}`
	for _, c := range []struct{ step, answer, rule string }{
		{`"url":"https://www.example.com/x"`, "yes", "lists of sites allow it"},
		{`"url":"www.example.com","right":"upload"`, "ask", "sets the permission upload to ask"},
		{`"url":"pay.example.com","right":"act"`, "no", "blocks pay.example.com"},
		{`"url":"https://other.test"`, "no", "allows only https://*.example.com"},
	} {
		_, _, answer := o.send(o.token, "POST", path, "{"+rules+","+c.step+"}")
		var got api.PolicyTested
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatal(err)
		}
		if got.Data.Answer != c.answer || !strings.Contains(got.Data.Rule, c.rule) ||
			!strings.HasPrefix(got.Data.URL, "https://") {
			t.Errorf("%s: %s", c.step, answer)
		}
	}
	for body, field := range map[string]string{
		`{"url":"a.example"}`:                                                      "policy",
		`{` + rules + `}`:                                                          "url",
		`{` + rules + `,"url":"x y"}`:                                              "url",
		`{` + rules + `,"url":"a.example","right":"fly"}`:                          "right",
		`{"policy":{"preset":"loose"},"url":"a.example"}`:                          "policy.preset",
		`{"policy":{"preset":"off","x":1},"url":"a.example"}`:                      "policy.x",
		`{"policy":{"preset":"open","sites":{"block":["x y"]}},"url":"a.example"}`: "policy.sites.block",
	} {
		if status, _, answer := o.send(o.token, "POST", path, body); status != 400 ||
			!strings.Contains(answer, `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
	o.want(401, "E_UNAUTHORIZED", "", "POST", path, `{`+rules+`,"url":"a.example"}`)
	if len(o.access.heard) > 0 {
		t.Errorf("heard %v", o.access.heard)
	}
}
