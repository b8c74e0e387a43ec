//go:build e2e

package policy

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cove/api"
	"cove/e2e/harness"
)

// allRequests returns the requests of every profile, open and ended.
func allRequests(t *testing.T, a *harness.App) api.Requests {
	t.Helper()
	var all api.Requests
	r := a.Own(http.MethodGet, "/v1.0/asks", "")
	if err := json.Unmarshal([]byte(r.Raw), &all); err != nil {
		t.Fatalf("%v: %s", err, r.Raw)
	}
	return all
}

// openRequest waits until one request is open, and returns it.
func openRequest(t *testing.T, a *harness.App) api.Request {
	t.Helper()
	var all api.Requests
	harness.Wait(t, "one open request", func() bool { all = allRequests(t, a); return len(all.Data) == 1 })
	return all.Data[0]
}

// answerRequest answers a request as the person.
func answerRequest(t *testing.T, a *harness.App, id, body string) {
	t.Helper()
	if r := a.Own(http.MethodPost, "/v1.0/asks/"+id, body); r.Status != http.StatusOK {
		t.Fatalf("answer %s: %d %s", body, r.Status, r.Raw)
	}
}

func TestALateYesLetsTheSameStepPassOnce(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})
	pay := harness.Object{"uid": m.Find(`button "Pay now"`)}

	first := m.BeginTool("click", pay)
	ask := openRequest(t, a)
	if ask.Kind != "approve" || ask.State != "asked" || ask.ExpiresAt == nil || ask.Rule != web.URL ||
		ask.RuleWords == "" || len(ask.Picture) == 0 {
		t.Errorf("the request is %+v", ask)
	}
	m.Works("take_snapshot", nil) // a call that waits for a person holds up no other
	first.Cancel()                // the client has given up
	harness.Wait(t, "the call to end", func() bool { return !a.Going(1, "click") })
	again := m.BeginTool("click", pay)
	harness.Wait(t, "the repeated call", func() bool { return a.Going(1, "click") })
	if now := openRequest(t, a); now.ID != ask.ID {
		t.Errorf("the repeated call made a request of its own: %s after %s", now.ID, ask.ID)
	}
	again.Cancel()
	harness.Wait(t, "the call to end", func() bool { return !a.Going(1, "click") })

	r := a.Raw(http.MethodPost, "/v1.0/asks/"+ask.ID, `{"allow":true}`, "Authorization", "Bearer "+a.APIToken())
	harness.MustRefuse(t, r, http.StatusForbidden, "E_NOT_PERSON")
	a.Must("asks", "allow", ask.ID)
	if got := web.got(); len(got) != 0 {
		t.Fatalf("sent without a call: %v", got)
	}
	m.Works("click", pay)
	harness.Wait(t, "the form to be sent", func() bool { return len(web.got()) == 1 })

	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})
	third := m.BeginTool("click", harness.Object{"uid": m.Find(`button "Pay now"`)})
	rule := openRequest(t, a)
	a.Must("asks", "allow", rule.ID, "--scope", "site")
	if got := third.Tool(); got.IsError {
		t.Errorf("after a yes for the site: %s", got.Text)
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})
	m.Works("click", harness.Object{"uid": m.Find(`button "Pay now"`)}) // nobody is asked
	if words := a.Must("policy", "show", "1"); !strings.Contains(words, web.URL) {
		t.Errorf("the policy does not tell of the rule: %s", words)
	}
	var names []string
	for _, line := range a.Journal(1) {
		if line.Agent.Kind == "keeper" && line.Name != "opened" {
			names = append(names, line.Name)
		}
	}
	if want := []string{"policy", "asked", "allowed", "asked", "allowed", "policy"}; !slices.Equal(names, want) {
		t.Errorf("the journal has %v, not %v", names, want)
	}
}

// The client gets the address of a page, the model does not; the page answers this request and approves nothing.
func TestAnAllowedClientOpensThePageOfARequest(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded", "--answerer", "e2e")
	m := a.Bridge("1")
	addresses := make(chan string, 1)
	m.Can = harness.Object{"elicitation": harness.Object{"form": harness.Object{}, "url": harness.Object{}}}
	m.Answers["elicitation/create"] = func(params any) any {
		p, _ := params.(map[string]any)
		if address, ok := p["url"].(string); ok {
			addresses <- address
			return harness.Object{"action": "accept"}
		}
		return harness.Object{"action": "cancel"} // a step is not approved in this client
	}
	m.Initialize()
	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})

	r := m.BeginTool("ask_person", harness.Object{"message": "Which month?", "kind": "text"})
	page, key, _ := strings.Cut(<-addresses, "#")
	ask := openRequest(t, a)
	if page != a.Base+"/ask/"+ask.ID || len(key) < 32 {
		t.Fatalf("the page is %s", page)
	}
	if status, html := harness.Fetch(t, http.MethodGet, page, ""); status != http.StatusOK || !strings.Contains(html, "ask.js") {
		t.Errorf("the page: %d %s", status, html)
	}
	send := func(id, key, body string) harness.Answer {
		return a.Raw(http.MethodPost, "/v1.0/asks/"+id, body, "Cove-Ask", key, "Origin", a.Base,
			"Content-Type", "application/json")
	}
	harness.MustRefuse(t, send(ask.ID, "guess", `{"text":"May"}`), http.StatusNotFound, "E_NO_REQUEST")
	step := m.BeginTool("click", harness.Object{"uid": m.Find(`button "Pay now"`)})
	pay := a.Asked(1)
	for pay.Class == "" { // the question is open, too
		var s struct{ Requests []harness.Waiting }
		a.Access(1, "GET", "/v1/access?once=1", nil, &s)
		pay = s.Requests[len(s.Requests)-1]
	}
	harness.MustRefuse(t, send("1-"+pay.ID, key, `{"allow":true}`), http.StatusUnauthorized, "E_UNAUTHORIZED")
	if got := send(ask.ID, key, `{"text":"May"}`); got.Status != http.StatusOK {
		t.Fatal(got.Raw)
	}
	if got := r.Tool(); !strings.Contains(got.Text, "The user answered: May") || strings.Contains(got.Text, key) {
		t.Errorf("told: %s", got.Text)
	}
	harness.MustRefuse(t, send(ask.ID, key, `{"text":"June"}`), http.StatusNotFound, "E_NO_REQUEST")
	a.Must("asks", "deny", "1-"+pay.ID)
	if got := step.Tool(); !got.IsError || len(web.got()) > 0 {
		t.Errorf("the step was done: %s", got.Text)
	}
}

const sixBoxes = `<!doctype html><title>Code</title><form action=/sent onsubmit="
for(const b of document.querySelectorAll('.b'))all.value+=b.value"><input type=hidden name=all id=all>` +
	`<input class=b maxlength=1 aria-label="Digit 1"><input class=b maxlength=1 aria-label="Digit 2">` +
	`<input class=b maxlength=1 aria-label="Digit 3"><input class=b maxlength=1 aria-label="Digit 4">` +
	`<input class=b maxlength=1 aria-label="Digit 5"><input class=b maxlength=1 aria-label="Digit 6">` +
	`<button>Verify</button></form>`

func TestAnAgentAsksAPerson(t *testing.T) {
	const code = "804217"
	sent := make(chan string, 10)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sent" {
			sent <- r.URL.Query().Get("all")
		}
		_, _ = io.WriteString(w, sixBoxes)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL})

	// The agent hears at once that nobody has answered, goes on, and comes back.
	say := harness.Object{"kind": "code", "message": "The code from your phone", "uid": m.Find(`textbox "Digit 1"`), "wait": 0}
	got := m.Works("ask_person", say)
	ask := openRequest(t, a)
	if !strings.Contains(got, "Nobody has answered yet (request "+ask.ID+")") || ask.Kind != "code" || ask.Tab == "" {
		t.Fatalf("%s\n%+v", got, ask)
	}
	m.Fails("ask_person", harness.Object{"message": "Something else"}, ask.ID+" is still open")
	waits := m.BeginTool("ask_person", harness.Object{"request": ask.ID})
	if r := a.Own(http.MethodPost, "/v1.0/asks/"+ask.ID+"/seen", `{"working":true}`); r.Status != http.StatusOK {
		t.Fatal(r.Raw)
	}
	harness.Wait(t, "the clock to stand still", func() bool {
		now := openRequest(t, a)
		return now.State == "working" && now.ExpiresAt == nil
	})
	answerRequest(t, a, ask.ID, `{"code":"`+code+`"}`)
	if got := waits.Tool(); got.IsError || !strings.Contains(got.Text, "code was typed") {
		t.Errorf("told: %s", got.Text)
	}
	if snapshot := m.Works("take_snapshot", nil); strings.Contains(snapshot, `"8"`) {
		t.Errorf("the agent reads a digit: %s", snapshot)
	}
	m.Works("click", harness.Object{"uid": m.Find(`button "Verify"`)})
	if got := <-sent; got != code {
		t.Errorf("the page got %q", got)
	}

	for _, c := range []struct {
		kind, answer, told string
		options            []string
	}{
		{"do", `{"done":true,"note":"Solved."}`, "has done it", nil},
		{"do", `{"decline":true,"note":"I have no phone."}`, "I have no phone.", nil},
		{"choose", `{"choose":"Large"}`, "The user chose: Large", []string{"Small", "Large"}},
		{"text", `{"text":"In May"}`, "The user answered: In May", nil},
	} {
		say := harness.Object{"kind": c.kind, "message": "Please help"}
		if c.options != nil {
			say["options"] = c.options
		}
		r := m.BeginTool("ask_person", say)
		answerRequest(t, a, openRequest(t, a).ID, c.answer)
		if got := r.Tool(); got.IsError || !strings.Contains(got.Text, c.told) {
			t.Errorf("%s: %s", c.kind, got.Text)
		}
	}
	m.Works("ask_person", harness.Object{"message": "Never mind", "wait": 0})
	m.Works("ask_person", harness.Object{"request": openRequest(t, a).ID, "cancel": true})
	harness.Wait(t, "no open request", func() bool { return len(allRequests(t, a).Data) == 0 })
	a.Policy(1, "--preset", "off")
	a.Must("stop", "1")
	noByte(t, a.Home, code)
}

// noByte fails when a file below a folder, other than the browser's own, holds a text.
func noByte(t *testing.T, folder, text string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "data_dir" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if raw, err := os.ReadFile(name); err == nil && strings.Contains(string(raw), text) {
			t.Errorf("%s holds the code", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAProgramAsksAPersonOverHTTP(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	token := a.APIToken()
	send := func(method, path, body string) harness.Answer {
		return a.Raw(method, "/v1.0/browser_profiles/1/asks"+path, body, "Authorization", "Bearer "+token)
	}
	read := func(r harness.Answer) (one api.RequestData) {
		if err := json.Unmarshal([]byte(r.Raw), &one); err != nil || r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Raw)
		}
		return one
	}
	harness.MustRefuse(t, send(http.MethodPost, "", `{"kind":"code","message":"x"}`), http.StatusBadRequest, "E_INVALID")
	asked := read(send(http.MethodPost, "", `{"message":"Pick one","kind":"choose","options":["a","b"],"name":"shop.js"}`))
	if one := asked.Data; one.Agent.Name != "shop.js" || one.State != "asked" || one.Profile != 1 {
		t.Errorf("%+v", one)
	}
	ended := make(chan harness.Answer, 1)
	go func() { ended <- send(http.MethodGet, "/"+asked.Data.ID+"?wait=60", "") }()
	a.Must("asks", "answer", asked.Data.ID, "--choose", "b", "--note", "as always")
	if one := read(<-ended).Data; one.State != "answered" || one.Answer.Choose != "b" || one.Answer.Note != "as always" {
		t.Errorf("%+v", one)
	}
	second := read(send(http.MethodPost, "", `{"message":"Solve the captcha"}`)).Data
	if one := read(send(http.MethodDelete, "/"+second.ID, "")).Data; one.State != "withdrawn" {
		t.Errorf("%+v", one)
	}
	harness.MustRefuse(t, send(http.MethodDelete, "/"+second.ID, ""), http.StatusNotFound, "E_NO_REQUEST")
	a.Policy(1, "--preset", "off")
	harness.MustRefuse(t, send(http.MethodPost, "", `{"message":"Help"}`), http.StatusForbidden, "E_AGENTS_OFF")
}

func TestARequestOutlivesTheAppAndIsCutWithTheKeeper(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/pay"})
	step := m.BeginTool("click", harness.Object{"uid": m.Find(`button "Pay now"`)})
	ask := openRequest(t, a)
	a.Kill()
	a.Up()
	if now := openRequest(t, a); now.ID != ask.ID || now.State != "asked" {
		t.Errorf("after the restart: %+v", now)
	}
	if !step.Waits() {
		t.Error("the call has not waited for the app")
	}
	harness.Kill(t, a.Keeper(1))
	if got := step.Tool(); !got.IsError {
		t.Errorf("the step was done: %s", got.Text)
	}
	harness.Wait(t, "the request to be cut", func() bool {
		all := allRequests(t, a)
		return len(all.Data) == 0 && len(all.History) == 1 && all.History[0].State == "cut" &&
			all.History[0].Answer == nil
	})
	r := a.Own(http.MethodPost, "/v1.0/asks/"+ask.ID, `{"allow":true}`)
	harness.MustRefuse(t, r, http.StatusNotFound, "E_NO_REQUEST")
	harness.MustSucceed(t, a.Own(http.MethodPost, "/v1.0/asks/"+ask.ID+"/seen", `{}`)) // a window that was slow to say so
	r = a.Own(http.MethodPost, "/v1.0/asks/"+ask.ID+"/seen", `{"working":true}`)
	harness.MustRefuse(t, r, http.StatusNotFound, "E_NO_REQUEST")
	if got := web.got(); len(got) != 0 {
		t.Errorf("sent without a yes: %v", got)
	}
}
