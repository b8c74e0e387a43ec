package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/policy"
	"cove/internal/sensitive"
)

// offered knows one tool, whose definition a test exchanges.
type offered struct {
	mu      sync.Mutex
	version string
	risk    sensitive.Kind
}

func (o *offered) Tool(_, _, name string, input json.RawMessage) (PageTool, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return PageTool{What: "call " + name + " with " + string(input), Bound: name + o.version, Version: o.version}, true
}

func (o *offered) Risk(context.Context, string, string, string) sensitive.Kind {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.risk
}

// asked waits for a request of the program.
func (g *testGate) asked() policy.Request {
	g.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(time.Millisecond) {
		if all := g.enforcer.State().Requests; len(all) > 0 {
			return all[0]
		}
	}
	g.t.Fatal("nobody is asked")
	return policy.Request{}
}

// heardUntil returns all messages up to one with a text.
func (c *client) heardUntil(text string) (all string) {
	c.t.Helper()
	for !strings.Contains(all, text) {
		all += c.hear()
	}
	return all
}

const invoke = `{"frameId":"T","toolName":"add","input":{"id":7}}`

func toolGate(t *testing.T, p policy.Policy) (*testGate, *offered, *client) {
	t.Helper()
	g, o := newGate(t, p), &offered{version: "1"}
	g.config.PageTools = o
	c := g.client()
	c.request(1, "Target.getTargets", `{}`)
	g.showPage(c, "CHILD", "T", "https://shop.example/")
	return g, o, c
}

func (c *client) onPage(id int, method, params string) {
	c.send(fmt.Sprintf(`{"id":%d,"sessionId":"CHILD","method":%q,"params":%s}`, id, method, params))
}

func TestACallOfAPageToolNeedsItsRight(t *testing.T) {
	g, o, c := toolGate(t, policy.Policy{Preset: policy.Guarded,
		Rights: map[policy.Class]policy.Answer{policy.Submit: policy.Yes}})
	c.onPage(2, "WebMCP.invokeTool", invoke)
	r := g.asked()
	if r.Class != policy.PageTool || r.What != `call add with {"id":7}` {
		t.Errorf("asked for %s: %s", r.Class, r.What)
	}
	o.mu.Lock()
	o.version = "2"
	o.mu.Unlock()
	_ = g.enforcer.Decide(r.ID, true, false)
	if got := c.heardUntil(`"id":2`); !strings.Contains(got, "has changed this tool") ||
		len(g.browser.Got("WebMCP.invokeTool")) != 0 {
		t.Errorf("an exchanged definition: %s", got)
	}

	c.onPage(3, "WebMCP.invokeTool", invoke)
	_ = g.enforcer.Decide(g.asked().ID, true, true) // until it leaves
	c.heardUntil(`"id":3`)
	c.onPage(4, "WebMCP.invokeTool", invoke)
	c.heardUntil(`"id":4`)
	if n := len(g.browser.Got("WebMCP.invokeTool")); n != 2 {
		t.Errorf("%d calls have reached the browser", n)
	}
	o.mu.Lock()
	o.version = "3"
	o.mu.Unlock()
	c.onPage(5, "WebMCP.invokeTool", invoke)
	_ = g.enforcer.Decide(g.asked().ID, false, false)
	if got := c.heardUntil(`"id":5`); !strings.Contains(got, "denied") {
		t.Errorf("another definition passes: %s", got)
	}
}

func TestACallOfAPageToolMaySendAForm(t *testing.T) {
	g, o, c := toolGate(t, policy.Policy{Preset: policy.Guarded,
		Rights: map[policy.Class]policy.Answer{policy.PageTool: policy.Yes}})
	o.risk = sensitive.Password
	c.onPage(2, "WebMCP.invokeTool", invoke)
	if r := g.asked(); r.Class != policy.Submit || !strings.Contains(r.What, "with a password field") &&
		!strings.Contains(r.What, "could not check the page") {
		t.Errorf("asked for %s: %s", r.Class, r.What)
	}
}

func TestReadersCallNoPageTools(t *testing.T) {
	g, _, c := toolGate(t, policy.Policy{Preset: policy.ReadOnly})
	c.onPage(2, "WebMCP.enable", `{}`)
	if got := c.heardUntil(`"id":2`); !strings.Contains(got, `"result"`) {
		t.Errorf("enable: %s", got)
	}
	c.onPage(3, "WebMCP.invokeTool", invoke)
	if got := c.heardUntil(`"id":3`); !strings.Contains(got, "-32000") || len(g.browser.Got("WebMCP.invokeTool")) != 0 {
		t.Errorf("invokeTool: %s", got)
	}
}

func TestAProgramHearsOfItsOwnCallsOnly(t *testing.T) {
	for _, preset := range []policy.Preset{policy.Open, policy.Guarded} {
		g, _, c := toolGate(t, policy.Policy{Preset: preset, Rights: map[policy.Class]policy.Answer{
			policy.PageTool: policy.Yes, policy.Submit: policy.Yes}})
		tell := func(id, name, input string) {
			g.browser.Event("CHILD", "WebMCP.toolInvoked",
				map[string]any{"invocationId": id, "toolName": name, "frameId": "T", "input": input})
			g.browser.Event("CHILD", "WebMCP.toolResponded",
				map[string]any{"invocationId": id, "status": "Completed", "output": "output of " + id})
		}
		c.onPage(2, "WebMCP.invokeTool", invoke)
		c.heardUntil(`"id":2`)
		tell("OTHER", "add", `{"id":7}`)
		tell("I1", "add", `{"id":7}`)
		heard := c.heardUntil("output of I1")
		if told := strings.Contains(heard, "OTHER"); told != (preset == policy.Open) {
			t.Errorf("%s: %s", preset, heard)
		}
		c.onPage(3, "WebMCP.cancelInvocation", `{"invocationId":"I1"}`)
		if got := c.heardUntil(`"id":3`); !strings.Contains(got, `"result"`) {
			t.Errorf("%s: its own call: %s", preset, got)
		}
		c.onPage(4, "WebMCP.cancelInvocation", `{"invocationId":"OTHER"}`)
		if got := c.heardUntil(`"id":4`); strings.Contains(got, `"result"`) != (preset == policy.Open) {
			t.Errorf("%s: the call of another: %s", preset, got)
		}
	}
}

func TestAProgramsOldestCallsAreForgotten(t *testing.T) {
	var i invocations
	i.add("I1")
	if !i.owns("I1") {
		t.Error("its id is not known")
	}
	for n := range maxOwnCalls {
		i.add(fmt.Sprint("N", n))
	}
	if i.owns("I1") || len(i.own) != maxOwnCalls {
		t.Errorf("%d ids", len(i.own))
	}
}
