package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools"
	"cove/internal/policy"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
)

// recorder is a journal in memory.
type recorder struct {
	mu  sync.Mutex
	all []journal.Entry
}

func (r *recorder) Record(e journal.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, e)
}

// vault is a list of secrets.
type vault []secret.Secret

func (v vault) All() ([]secret.Secret, error) { return v, nil }
func (v vault) Get(name string) (secret.Secret, error) {
	return v[0], nil
}

const hush = "Zw0lf-Boxer"

func guarded(t *testing.T, p policy.Policy) (*mcpserver.Server, *conversation, *recorder) {
	t.Helper()
	r := &recorder{}
	s := mcpserver.NewServer(mcpserver.Config{
		Name: "work", Tools: tools.All(), Enforcer: policy.NewEnforcer(p), Journal: r,
		Secrets: vault{{Name: "pw", Value: hush}}, Browser: emptyBrowser,
	})
	return s, talkTo(t, s), r
}

func TestAClientIsAdmittedWhileItIsConnected(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{})
	s := mcpserver.NewServer(mcpserver.Config{Tools: tools.All(), Enforcer: e, Browser: emptyBrowser})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	all := mcpserver.Hello{Tools: []string{"all"}}
	go func() { done <- s.Serve(context.Background(), theirs, all, nil) }()
	c := newConversation(t, ours)
	want := policy.Agent{Kind: policy.Tools, Name: "test", Version: "1"}
	if agents := e.State().Agents; len(agents) != 1 || agents[0].Agent != want {
		t.Errorf("admitted: %+v", agents)
	}
	e.Suspend(true)
	if text, failed := c.tool("list_downloads", nil); !failed || !strings.Contains(text, "stopped all agents") {
		t.Errorf("in panic: %s", text)
	}
	e.Suspend(false)
	if text, failed := c.tool("list_downloads", nil); failed {
		t.Errorf("after it: %s", text)
	}
	_ = ours.Close()
	<-done
	if agents := e.State().Agents; len(agents) != 0 {
		t.Errorf("still admitted: %+v", agents)
	}
}

func TestNobodyBeginsWhereAgentsAreNotAllowed(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{Preset: policy.Off})
	s := mcpserver.NewServer(mcpserver.Config{Tools: tools.All(), Enforcer: e})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	all := mcpserver.Hello{Tools: []string{"all"}}
	go func() { done <- s.Serve(context.Background(), theirs, all, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	c := newConversation(t, ours)
	if !strings.Contains(string(c.hello), "not allowed in this profile") {
		t.Errorf("initialize: %s", c.hello)
	}
}

func TestAToolThatActsIsRefusedWhereAgentsOnlyLook(t *testing.T) {
	_, c, r := guarded(t, policy.Policy{Preset: policy.ReadOnly})
	text, failed := c.tool("press_key", map[string]any{"key": "Enter"})
	if !failed || !strings.Contains(text, "policy does not allow") {
		t.Error(text)
	}
	if text, failed := c.tool("list_downloads", nil); failed {
		t.Error(text)
	}
	waitFor := time.Now().Add(5 * time.Second)
	for len(r.copied()) < 2 && time.Now().Before(waitFor) {
		<-time.After(time.Millisecond)
	}
	all := r.copied()
	if len(all) != 2 || all[0].Name != "press_key" || all[0].Outcome != "refused" || all[0].Agent.Name != "test" ||
		string(all[0].Args) != `{"key":"Enter"}` || all[1].Outcome != "ok" {
		t.Errorf("written down: %+v", all)
	}
}

func (r *recorder) copied() []journal.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]journal.Entry{}, r.all...)
}

func TestEveryToolDeclaresWhatItNeeds(t *testing.T) {
	needs := map[string]policy.Class{
		"save_storage_state": policy.Storage, "load_storage_state": policy.Storage,
		"set_logpoints": policy.Script, "mock_requests": policy.Script,
		"evaluate_script": policy.Script, "take_heapsnapshot": policy.Script, "upload_file": policy.Upload,
	}
	for _, one := range tools.All() {
		if want, ok := needs[one.Name]; ok != (len(one.Needs) == 1) || (ok && one.Needs[0].Class != want) {
			t.Errorf("%s needs %v", one.Name, one.Needs)
		}
	}
}

func TestArgumentsAreWrittenDownWithoutPasswordsAndSecrets(t *testing.T) {
	s, _, _ := guarded(t, policy.Policy{})
	all := map[string]mcpserver.Tool{}
	for _, one := range tools.All() {
		all[one.Name] = one
	}
	for _, one := range []struct {
		tool       string
		public     bool
		args, want string
	}{
		{"fill", false, `{"uid":"a1","value":"hunter2"}`, `{"uid":"a1","value":"<redacted>"}`},
		{"fill", false, `{"options":["hunter2"],"uid":"a1"}`, `{"options":["<redacted>"],"uid":"a1"}`},
		{"fill", true, `{"uid":"a1","value":"me"}`, `{"uid":"a1","value":"me"}`},
		{"fill", false, `{"uid":"a1","value":"{{secret:pw}}"}`, `{"uid":"a1","value":"{{secret:pw}}"}`},
		{"fill_form", false,
			`{"elements":[{"uid":"a1","value":"hunter2"}]}`, `{"elements":[{"uid":"a1","value":"<redacted>"}]}`},
		{"type_text", false, `{"text":"hunter2"}`, `{"text":"<redacted>"}`},
		{"wait_for", false, `{"text":["` + hush + `"]}`, `{"text":["` + redactor.Dots + `"]}`},
		{"navigate_page", false,
			`{"url":"https://u:p@a.test/?password=x&q=1"}`,
			`{"url":"https://u:<redacted>@a.test/?password=<redacted>&q=1"}`},
		{"call_page_tool", false, `{"name":"login","input":{"user":"ada","pass":"hunter2","a":[{"otp":123456}]}}`,
			`{"name":"login","input":{"user":"ada","pass":{"letters":7},"a":[{"otp":{"letters":6}}]}}`},
		{"emulate", false, `{"extraHttpHeaders":"{\"Authorization\":\"x\"}"}`, `{"extraHttpHeaders":"<redacted>"}`},
	} {
		var got, want any
		_ = json.Unmarshal(mcpserver.RecordedArguments(s, all[one.tool], one.args, one.public), &got)
		_ = json.Unmarshal([]byte(one.want), &want)
		if a, b := quotedJSON(got), quotedJSON(want); a != b {
			t.Errorf("%s: %s, not %s", one.tool, a, b)
		}
	}
}

func quotedJSON(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

func TestSecretsAreTakenOutOfAnswers(t *testing.T) {
	s, c, _ := guarded(t, policy.Policy{})
	text, _ := c.tool("wait_for", map[string]any{"text": []string{hush}, "pageId": 7, hush: 1})
	if strings.Contains(text, hush) || !strings.Contains(text, redactor.Dots) {
		t.Errorf("told: %s", text)
	}
	var r mcpserver.Result
	r.Show("x " + hush)
	if got := mcpserver.Finish(s, &r); strings.Contains(quotedJSON(got), hush) {
		t.Error(quotedJSON(got))
	}
}

func TestAPersonsAnswerElsewhereCounts(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{Preset: policy.Guarded})
	a, err := e.Admit(policy.Agent{Kind: policy.Tools, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for _, yes := range []bool{true, false} {
		err := a.Authorize(t.Context(), policy.Request{Class: policy.Upload, What: "x",
			Elsewhere: func(context.Context) (bool, bool) { return yes, true }})
		if (err == nil) != yes {
			t.Errorf("%v: %v", yes, err)
		}
	}
	if len(e.State().Requests) > 0 {
		t.Error("a request is left")
	}
}

// A client of 2026-07-28 gets one question at a time, and sends its call again with the reply to that one only.
func TestAStepWithTwoQuestionsPassesAfterTwoYeses(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{Answerers: []string{"test"},
		Rights: map[policy.Class]policy.Answer{policy.Act: policy.Ask, policy.Script: policy.Ask}})
	c := standing(t, e)
	script := map[string]any{"function": "() => 1", "pageId": 7}

	for range 2 { // each step asks for itself
		accepted := ""
		for i := range 2 {
			result, asked := c.modern("evaluate_script", script, accepted)
			if len(asked) != 1 || asked[0] == accepted {
				t.Fatalf("question %d: %s", i+1, result)
			}
			accepted = asked[0]
		}
		result, asked := c.modern("evaluate_script", script, accepted)
		if len(asked) != 0 || !strings.Contains(result, "There is no page 7") {
			t.Fatalf("after two yeses: %s", result)
		}
	}
	if state := e.State(); len(state.Requests) != 0 || len(state.History) != 4 {
		t.Errorf("the requests are %+v, %+v", state.Requests, state.History)
	}
}

// A command in a shell waits a moment only. It meets each question once, however often it is repeated.
func TestARepeatedCommandPassesAfterTwoYeses(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{
		Rights: map[policy.Class]policy.Answer{policy.Act: policy.Ask, policy.Script: policy.Ask}})
	s := mcpserver.NewServer(mcpserver.Config{Tools: tools.All(), Enforcer: e, Browser: emptyBrowser})
	code := func() fault.Code {
		t.Helper()
		a := s.CallTool(t.Context(), answer.Call{Name: "test", Session: "one", Tool: "evaluate_script",
			Arguments: json.RawMessage(`{"function":"() => 1","pageId":7}`), Patience: time.Millisecond})
		if a.Error == nil {
			t.Fatalf("it works: %+v", a)
		}
		return a.Error.Code
	}

	for _, second := range []bool{true, false} {
		for i, yes := range []bool{true, second} {
			for range 2 {
				if got := code(); got != fault.CodeNotApproved || len(e.State().Requests) != 1 {
					t.Fatalf("question %d: %s, %+v", i+1, got, e.State().Requests)
				}
			}
			if err := e.Decide(e.State().Requests[0].ID, yes, false); err != nil {
				t.Fatal(err)
			}
		}
		want := fault.CodeNoPage
		if !second {
			want = fault.CodeRefused
		}
		if got := code(); got != want {
			t.Errorf("after yes and %v: %s", second, got)
		}
	}
	if state := e.State(); len(state.Requests) != 0 || len(state.History) != 4 {
		t.Errorf("the requests are %+v, %+v", state.Requests, state.History)
	}
}

// A batch cannot be sent again for the sake of one of its steps: that step waits for the person elsewhere.
func TestAStepOfABatchIsNotAskedInTheAnswer(t *testing.T) {
	e := policy.NewEnforcer(policy.Policy{Answerers: []string{"test"},
		Rights: map[policy.Class]policy.Answer{policy.Script: policy.Ask}})
	c := standing(t, e)
	sub := e.Subscribe()
	go func() {
		for range sub.C() {
			for _, r := range e.State().Requests {
				_ = e.Reply(t.Context(), r.ID, policy.Reply{Allow: true, By: "person"})
			}
		}
	}()
	script := map[string]any{"function": "() => 1", "pageId": 7}
	result, asked := c.modern("batch",
		map[string]any{"calls": []any{map[string]any{"tool": "evaluate_script", "arguments": script}}}, "")
	if len(asked) != 0 || !strings.Contains(result, "There is no page 7") {
		t.Errorf("the answer is %s", result)
	}
}

// standing is a conversation with a client that makes no session.
func standing(t *testing.T, e *policy.Enforcer) *conversation {
	t.Helper()
	s := mcpserver.NewServer(mcpserver.Config{Tools: tools.All(), Enforcer: e, Browser: emptyBrowser})
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), theirs, mcpserver.Hello{Tools: []string{"all"}}, nil) }()
	t.Cleanup(func() { _ = ours.Close(); <-done })
	return &conversation{t: t, conn: ours, in: bufio.NewReader(ours)}
}
