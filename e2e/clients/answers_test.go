//go:build e2e

package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cove/api"
	"cove/e2e/harness"
)

// mostCalls is after how many calls a model gives up.
const mostCalls = 12

// clientLimit is how long the clients of these tests wait for a tool, unless they have their usual limits. None of them
// has a limit for one tool alone, and the others must be done in that time, too, also on a busy machine.
const clientLimit = harness.Patience

// answerAfter is how long the person takes for an answer; 0 for as long as it takes until the client has given up once.
func answerAfter(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("COVE_E2E_ANSWER")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("COVE_E2E_ANSWER is %q", text)
	}
	return d
}

// workAlone makes the client begin only when its server is ready, as it would not on a slow machine, and call its tools
// without a person of its own.
func (p *peer) workAlone(args []string) []string {
	switch p.name {
	case "codex":
		return append(args, "-c", "mcp_servers.cove-1.required=true",
			"-c", `mcp_servers.cove-1.default_tools_approval_mode="approve"`)
	case "claude-code":
		p.env = append(p.env, "CLAUDE_CODE_MCP_STARTUP_WAIT_MS=60000", "MCP_CONNECT_TIMEOUT_MS=60000")
	}
	return args
}

// limitCalls makes the client give up on a tool after clientLimit, in the client's own way.
func (p *peer) limitCalls(args []string) []string {
	p.t.Helper()
	ms := fmt.Sprint(clientLimit.Milliseconds())
	switch p.name {
	case "codex":
		return append(args, "-c", fmt.Sprintf("mcp_servers.cove-1.tool_timeout_sec=%d", int(clientLimit.Seconds())))
	case "gemini":
		file := filepath.Join(p.home, ".gemini", "settings.json")
		const entry = `"cove-1": {`
		text := read(p.t, file)
		if strings.Count(text, entry) != 1 {
			p.t.Fatalf("its settings are %s", text)
		}
		write(p.t, file, strings.Replace(text, entry, entry+` "timeout": `+ms+`,`, 1), 0o600)
	case "claude-code":
		p.env = append(p.env, "MCP_TOOL_TIMEOUT="+ms)
	}
	return args
}

// hand is a person who answers requests, and what the model has seen of that.
type hand struct {
	t     *testing.T
	app   *harness.App
	model *harness.Model
	after time.Duration
}

// saw is what the model has seen so far.
func (h *hand) saw() []string {
	h.model.Mu.Lock()
	defer h.model.Mu.Unlock()
	return append([]string{}, h.model.Saw...)
}

// asks are the requests of a kind, open and ended.
func (h *hand) asks(kind string) (open, ended []api.Request) {
	h.t.Helper()
	var all api.Requests
	r := h.app.Own(http.MethodGet, "/v1.0/asks", "")
	if err := json.Unmarshal([]byte(r.Raw), &all); err != nil {
		h.t.Fatalf("%v: %s", err, r.Raw)
	}
	others := func(a api.Request) bool { return a.Kind != kind }
	return slices.DeleteFunc(all.Data, others), slices.DeleteFunc(all.History, others)
}

// askedOnly checks that the person was asked so often, and no more.
func (h *hand) askedOnly(times int, kind string) {
	h.t.Helper()
	if open, ended := h.asks(kind); len(open) != 0 || len(ended) != times {
		h.t.Errorf("asked %d times; open %v, ended %v", times, open, ended)
	}
}

// over is how many calls have ended that can ask for something of a kind.
func (h *hand) over(kind string) (n int) {
	h.t.Helper()
	tool := map[string]string{"approve": "click", "text": "ask_person"}[kind]
	for _, l := range h.app.Journal(1) {
		if l.Name == tool {
			n++
		}
	}
	return n
}

// answer waits for a request of a kind, takes its time, and answers it. With no time of its own it waits until a call
// has come back to the model without an answer.
func (h *hand) answer(kind, body string) {
	h.t.Helper()
	var ask api.Request
	// The client starts and looks at the page first, and all of them do at the same time.
	harness.WaitLong(h.t, 3*harness.Patience, "a request of the kind "+kind, func() bool {
		open, _ := h.asks(kind)
		if len(open) > 0 {
			ask = open[0]
		}
		return len(open) > 0
	})
	before, over := len(h.saw()), h.over(kind)
	if h.after > 0 {
		harness.Delay(h.t.Context(), h.after)
	} else {
		harness.WaitLong(h.t, clientLimit+2*harness.Patience, "a call to come back without an answer",
			func() bool { return len(h.saw()) > before })
		// With a yes, a call that nobody waits for would do the step all the same. And Claude Code tells its model
		// a moment before it tells Cove; never, if the answer comes in that moment.
		harness.Wait(h.t, "the call to end", func() bool { return h.over(kind) > over })
	}
	waited := time.Since(ask.RequestedAt)
	if r := h.app.Own(http.MethodPost, "/v1.0/asks/"+ask.ID, body); r.Status != http.StatusOK {
		h.t.Errorf("answer %s: %d %s", body, r.Status, r.Raw)
	}
	h.t.Logf("request %s was answered after %v; %d calls had come back without it", ask.ID, waited.Round(time.Second),
		len(h.saw())-before)
}

// TestNoClientLosesALateAnswer: a person answers when the call that asked is long over. Real clients, each with a model
// that tries again as it is told, get every answer, and what was allowed happens once. In the trial the clients have
// their usual limits and the person takes minutes.
func TestNoClientLosesALateAnswer(t *testing.T) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, name := range []string{"claude-code", "codex", "gemini"} {
		a := harness.Start(t)
		a.Open(1)
		a.Policy(1, "--preset", "guarded")
		// At the same time, also on one processor: they wait most of the time.
		all.Go(func() { t.Run(name+" does a step that needs a yes", func(t *testing.T) { lateYes(t, a, name) }) })
		all.Go(func() { t.Run(name+" asks a question", func(t *testing.T) { lateWords(t, a, name) }) })
	}
}

// session lets a client work with a model until it is done, while the person answers.
func session(
	t *testing.T, a *harness.App, name string, next func([]string) *harness.ToolCall, person func(*hand),
) *hand {
	t.Helper()
	p, m := newPeer(t, a, name), harness.NewModel(t, next)
	h := &hand{t: t, app: a, model: m, after: answerAfter(t)}
	args := p.converse(m, "do your work")
	p.cove("client", "add", name, "1", "--scope", "user")
	args = p.workAlone(args)
	if h.after == 0 {
		args = p.limitCalls(args)
	}
	t.Cleanup(func() {
		for i, one := range h.saw() {
			t.Logf("%d: %s", i, harness.Cut(one))
		}
		if t.Failed() {
			open, ended := h.asks("text")
			t.Logf("the questions are %+v, and before %+v", open, ended)
		}
	})
	ended := make(chan error, 1)
	var out string
	go func() {
		var err error
		out, err = p.run(clientLimit+6*harness.Patience+2*h.after, args...)
		ended <- err
	}()
	person(h)
	if err := <-ended; err != nil || t.Failed() {
		t.Errorf("%v; it printed\n%s", err, out)
	}
	return h
}

func lateYes(t *testing.T, a *harness.App, name string) {
	var sent atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/sent" {
			_, _ = fmt.Fprintf(w, "<!doctype html><title>Sent</title>order %d", sent.Add(1))
			return
		}
		_, _ = io.WriteString(w, `<!doctype html><title>Pay</title><form action=/sent method=post>`+
			`<input autocomplete=cc-number name=n aria-label=Card><button>Pay now</button></form>`)
	}))
	t.Cleanup(web.Close)

	next := func(saw []string) *harness.ToolCall {
		switch {
		case len(saw) == 0:
			return &harness.ToolCall{Name: "navigate_page", Args: harness.Object{"url": web.URL + "/pay"}}
		case len(saw) == 1:
			return &harness.ToolCall{Name: "take_snapshot"}
		case !strings.Contains(last(saw), "clicked on the element"):
			return callUntil(saw, "click", harness.Object{"uid": harness.UIDOf(saw[1], `button "Pay now"`)})
		}
		return nil
	}
	h := session(t, a, name, next, func(h *hand) { h.answer("approve", `{"allow":true}`) })
	h.askedOnly(1, "approve")
	if n := sent.Load(); n != 1 {
		t.Errorf("the form was sent %d times", n)
	}
}

var requestName = regexp.MustCompile(`request (\d+-\d+)`)

// lateWords asks a question that the client gives up on and, where there is time for it, one that Cove hands back with
// the number of the request.
func lateWords(t *testing.T, a *harness.App, name string) {
	questions := []struct {
		ask    harness.Object
		answer string
	}{
		{harness.Object{"kind": "text", "message": "Which month?"}, "In May, as always"},
		{harness.Object{"kind": "text", "message": "Which cover?", "wait": 1}, "The blue one"},
	}
	if answerAfter(t) > 0 {
		questions = questions[:1]
	}
	next := func(saw []string) *harness.ToolCall {
		all := strings.Join(saw, "\n")
		for _, q := range questions {
			if strings.Contains(all, q.answer) {
				continue
			}
			args := q.ask
			if m := requestName.FindStringSubmatch(last(saw)); m != nil {
				args = harness.Object{"request": m[1]}
			}
			return callUntil(saw, "ask_person", args)
		}
		return nil
	}
	h := session(t, a, name, next, func(h *hand) {
		for _, q := range questions {
			h.answer("text", fmt.Sprintf(`{"text":%q}`, q.answer))
			harness.Wait(t, "the model to read the answer", func() bool {
				return strings.Contains(strings.Join(h.saw(), "\n"), q.answer) // it may have gone on
			})
		}
	})
	h.askedOnly(len(questions), "text")
}

// callUntil calls a tool, unless the model has called too many.
func callUntil(saw []string, tool string, args harness.Object) *harness.ToolCall {
	if len(saw) >= mostCalls {
		return nil
	}
	return &harness.ToolCall{Name: tool, Args: args}
}

// last is the last answer that a model has seen.
func last(saw []string) string {
	if len(saw) == 0 {
		return ""
	}
	return saw[len(saw)-1]
}
