package mcpserver

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/journal"
	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/secret"
)

// book keeps what is written down.
type book struct {
	mu  sync.Mutex
	all []journal.Entry
}

func (b *book) Record(e journal.Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, e)
}

// vault is a list of secrets.
type vault []secret.Secret

func (v vault) All() ([]secret.Secret, error) { return v, nil }
func (v vault) Get(name string) (secret.Secret, error) {
	return v[0], nil
}

const hush = "Zw0lf-Boxer"

func guarded(t *testing.T, p policy.Policy) (*Server, *conversation, *book) {
	t.Helper()
	b := &book{}
	s := New(Config{Name: "work", Enforcer: policy.NewEnforcer(p), Journal: b, Secrets: vault{{Name: "pw", Value: hush}}, Browser: func(context.Context) (*page.Browser, error) { return page.New(nil), nil }})
	return s, talkTo(t, s), b
}

func (c *conversation) tool(name string, args map[string]any) (text string, failed bool) {
	c.t.Helper()
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	raw := c.request("tools/call", map[string]any{"name": name, "arguments": args})
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Content) == 0 {
		c.t.Fatalf("%s: %s", name, raw)
	}
	return r.Content[0].Text, r.IsError
}

func TestAClientSitsAtTheDeskWhileItIsThere(t *testing.T) {
	s := New(Config{Enforcer: policy.NewEnforcer(policy.Policy{}), Browser: func(context.Context) (*page.Browser, error) { return page.New(nil), nil }})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, Hello{Tools: []string{"all"}}, nil) }()
	c := newConversation(t, ours)
	if agents := s.Enforcer.State().Agents; len(agents) != 1 || agents[0] != (policy.Agent{Kind: policy.Tools, Name: "test", Version: "1"}) {
		t.Errorf("seated: %+v", agents)
	}
	s.Enforcer.Suspend(true)
	if text, failed := c.tool("list_downloads", nil); !failed || !strings.Contains(text, "cut off") {
		t.Errorf("in panic: %s", text)
	}
	s.Enforcer.Suspend(false)
	if text, failed := c.tool("list_downloads", nil); failed {
		t.Errorf("after it: %s", text)
	}
	_ = ours.Close()
	<-done
	if agents := s.Enforcer.State().Agents; len(agents) != 0 {
		t.Errorf("still seated: %+v", agents)
	}
}

func TestNobodyBeginsWhereAgentsAreNotAllowed(t *testing.T) {
	s := New(Config{Enforcer: policy.NewEnforcer(policy.Policy{Preset: policy.Off})})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, Hello{Tools: []string{"all"}}, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	c := newConversation(t, ours)
	if !strings.Contains(string(c.hello), "not allowed in this profile") {
		t.Errorf("initialize: %s", c.hello)
	}
}

func TestAToolThatActsIsRefusedWhereAgentsOnlyLook(t *testing.T) {
	_, c, b := guarded(t, policy.Policy{Preset: policy.ReadOnly})
	if text, failed := c.tool("press_key", map[string]any{"key": "Enter"}); !failed || !strings.Contains(text, "policy says no") {
		t.Error(text)
	}
	if text, failed := c.tool("list_downloads", nil); failed {
		t.Error(text)
	}
	waitFor := time.Now().Add(5 * time.Second)
	for len(b.copied()) < 2 && time.Now().Before(waitFor) {
		time.Sleep(time.Millisecond)
	}
	all := b.copied()
	if len(all) != 2 || all[0].Name != "press_key" || all[0].Outcome != "refused" || all[0].Agent.Name != "test" || string(all[0].Args) != `{"key":"Enter"}` || all[1].Outcome != "ok" {
		t.Errorf("written down: %+v", all)
	}
}

func (b *book) copied() []journal.Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]journal.Entry{}, b.all...)
}

func TestEveryToolDeclaresWhatItNeeds(t *testing.T) {
	needs := map[string]policy.Class{"evaluate_script": policy.Script, "take_heapsnapshot": policy.Script, "upload_file": policy.Upload}
	for _, one := range Tools() {
		if want, ok := needs[one.Name]; ok != (len(one.Needs) == 1) || (ok && one.Needs[0].class != want) {
			t.Errorf("%s needs %v", one.Name, one.Needs)
		}
	}
}

func TestArgumentsAreWrittenDownWithoutPasswordsAndSecrets(t *testing.T) {
	s, _, _ := guarded(t, policy.Policy{})
	for _, one := range []struct {
		tool       tool
		told       bool
		args, want string
	}{
		{fill, false, `{"uid":"a1","value":"hunter2"}`, `{"uid":"a1","value":"<redacted>"}`},
		{fill, true, `{"uid":"a1","value":"me"}`, `{"uid":"a1","value":"me"}`},
		{fill, false, `{"uid":"a1","value":"{{secret:pw}}"}`, `{"uid":"a1","value":"{{secret:pw}}"}`},
		{fillForm, false, `{"elements":[{"uid":"a1","value":"hunter2"}]}`, `{"elements":[{"uid":"a1","value":"<redacted>"}]}`},
		{typeText, false, `{"text":"hunter2"}`, `{"text":"<redacted>"}`},
		{waitFor, false, `{"text":["` + hush + `"]}`, `{"text":["` + secret.Dots + `"]}`},
		{navigatePage, false, `{"url":"https://u:p@a.test/?password=x&q=1"}`, `{"url":"https://u:<redacted>@a.test/?password=<redacted>&q=1"}`},
		{emulate, false, `{"extraHttpHeaders":"{\"Authorization\":\"x\"}"}`, `{"extraHttpHeaders":"<redacted>"}`},
	} {
		c := &call{server: s, diary: diary{args: json.RawMessage(one.args), told: one.told}}
		var got, want any
		_ = json.Unmarshal(c.written(one.tool), &got)
		_ = json.Unmarshal([]byte(one.want), &want)
		if a, b := quotedJSON(got), quotedJSON(want); a != b {
			t.Errorf("%s: %s, not %s", one.tool.Name, a, b)
		}
	}
}

func quotedJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

func TestBodiesAndAddressesAreRedacted(t *testing.T) {
	for in, want := range map[string]string{
		"user=me&password=x%20y&b=2":                                                       "user=me&password=<redacted>&b=2",
		"new_password=a&passwordConfirmation=b":                                            "new_password=<redacted>&passwordConfirmation=<redacted>",
		`{"user":"me","pwd" : "a\"b","n":{"cvc":123}}`:                                     `{"user":"me","pwd" : "<redacted>","n":{"cvc":"<redacted>"}}`,
		"--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--x--": "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n<redacted>\r\n--x--",
		"q=passwords&compass=1":                                                            "q=passwords&compass=1",
		"user[password]=x&passwordless=":                                                   "user[password]=<redacted>&passwordless=",
	} {
		if got := redactBody(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"https://a.test/?pass=1#x": "https://a.test/?pass=<redacted>#x", "https://me:pw@a.test/": "https://me:<redacted>@a.test/", "https://a.test/a?b=c": "https://a.test/a?b=c",
	} {
		if got := RedactURL(in); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

func TestSecretsAreTakenOutOfAnswers(t *testing.T) {
	s, c, _ := guarded(t, policy.Policy{})
	text, _ := c.tool("wait_for", map[string]any{"text": []string{hush}, "pageId": 7, hush: 1})
	if strings.Contains(text, hush) || !strings.Contains(text, secret.Dots) {
		t.Errorf("told: %s", text)
	}
	a := &answer{}
	a.show("x " + hush)
	if got := s.without(a.result(false)); strings.Contains(quotedJSON(got), hush) {
		t.Error(quotedJSON(got))
	}
}

func TestReportsHoldNoValuesOfFields(t *testing.T) {
	s, _, _ := guarded(t, policy.Policy{})
	c := &call{server: s}
	name := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(name, []byte(`{"snippet":"<input type=\"password\" value=\"hunter2\">","other":"\u003cinput value='hunter2'>","x":"`+hush+`","class":"value=\"kept\""}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.cleanReports(context.Background(), []string{name}, ""); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(name)
	if text := string(raw); strings.Contains(text, "hunter2") || strings.Contains(text, hush) || !strings.Contains(text, "kept") || !json.Valid(raw) {
		t.Error(text)
	}
}

func TestAPersonsAnswerElsewhereCounts(t *testing.T) {
	d := policy.NewEnforcer(policy.Policy{Preset: policy.Guarded})
	seat, err := d.Admit(policy.Agent{Kind: policy.Tools, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{true, false} {
		err := seat.Authorize(t.Context(), policy.Request{Class: policy.Upload, What: "x", Elsewhere: func(context.Context) (bool, bool) { return yes, true }})
		if (err == nil) != yes {
			t.Errorf("%v: %v", yes, err)
		}
	}
	if len(d.State().Requests) > 0 {
		t.Error("a request is left")
	}
}
