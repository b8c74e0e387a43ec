package webmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// fake is a browser with one tab, whose target and main frame are "T" and whose session is "S".
type fake struct {
	*Tools
	t *testing.T

	mu      sync.Mutex
	heard   []string        // the methods of all commands
	silent  map[string]bool // the methods that get no answer
	held    []func()        // gives the answers that were held back
	holds   string          // the method whose answers are held back
	ids     int
	reports []Invocation
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{t: t, silent: map[string]bool{}}
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		f.mu.Lock()
		f.heard = append(f.heard, m.Method)
		silent := f.silent[m.Method]
		result := object{}
		if m.Method == "WebMCP.invokeTool" {
			f.ids++
			result["invocationId"] = fmt.Sprint("I", f.ids)
		}
		answer, err := json.Marshal(object{"id": m.ID, "result": result})
		if f.holds == m.Method {
			f.held, silent = append(f.held, func() { conn.Receive(answer) }), true
		}
		f.mu.Unlock()
		if err == nil && !silent {
			conn.Receive(answer)
		}
		return err
	}, nil)
	f.Tools = New(target.New(conn, "T", "S"), func(i Invocation) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.reports = append(f.reports, i)
	})
	return f
}

// hold keeps the answers to a method back until they are given.
func (f *fake) hold(method string) (give func()) {
	f.holds = method
	return func() {
		f.mu.Lock()
		held := f.held
		f.mu.Unlock()
		for _, answer := range held {
			answer()
		}
	}
}

func (f *fake) event(session, method string, params object) {
	f.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		f.t.Fatal(err)
	}
	e := cdp.Event{Method: method, Session: session, Params: raw}
	if strings.HasPrefix(method, "Page.") {
		f.FrameEvent(e)
	} else {
		f.Event(e)
	}
}

func (f *fake) added(session, frame string, tools ...object) {
	f.t.Helper()
	for _, one := range tools {
		one["frameId"] = frame
	}
	f.event(session, "WebMCP.toolsAdded", object{"tools": tools})
}

func (f *fake) navigated(frame, parent, loader, kind string) {
	f.event("S", "Page.frameNavigated", object{"type": kind,
		"frame": object{"id": frame, "parentId": parent, "loaderId": loader}})
}

func (f *fake) responded(id, status string, more object) {
	params := object{"invocationId": id, "status": status}
	for k, v := range more {
		params[k] = v
	}
	f.event("S", "WebMCP.toolResponded", params)
}

func (f *fake) invoked(id, name string) {
	f.event("S", "WebMCP.toolInvoked", object{"invocationId": id, "toolName": name, "frameId": "T", "input": "{}"})
}

func (f *fake) names() string {
	var all []string
	for _, one := range f.All() {
		all = append(all, one.Frame+"/"+one.Name)
	}
	return strings.Join(all, " ")
}

func (f *fake) got(method string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.heard {
		if one == method {
			n++
		}
	}
	return n
}

// reported returns the calls of others that were reported.
func (f *fake) reported() []Invocation {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.reports)
}

// remembered returns how many calls are followed.
func (f *fake) remembered() int {
	f.Tools.mu.Lock()
	defer f.Tools.mu.Unlock()
	return len(f.invocations)
}

func tool(name string) object { return object{"name": name, "description": "does " + name} }

func TestToolsGoWithTheirDocument(t *testing.T) {
	f := newFake(t)
	f.navigated("T", "", "L1", "Navigation")
	f.added("S", "T", tool("a"), tool("b"))
	f.added("S", "F", tool("inner"))
	f.added("S2", "G", tool("other"))
	if got := f.names(); got != "T/a T/b F/inner G/other" {
		t.Fatalf("tools: %s", got)
	}

	f.event("S", "WebMCP.toolsRemoved", object{"tools": []object{{"name": "a", "frameId": "T"}}})
	f.event("S", "Page.frameDetached", object{"frameId": "G", "reason": "swap"}) // the session before its own
	if got := f.names(); got != "T/b F/inner G/other" {
		t.Fatalf("after one was removed: %s", got)
	}
	f.navigated("F", "T", "L2", "Navigation")
	f.Detach("S2")
	if got := f.names(); got != "T/b" {
		t.Fatalf("after the frames went: %s", got)
	}
	before, _ := f.Find("T", "b")
	f.navigated("T", "", "L3", "Navigation")
	f.added("S", "T", tool("b"))
	after, ok := f.Find("T", "b")
	if !ok || after.Hash != before.Hash || after.Same(before) {
		t.Errorf("the same tool of another document: %+v, %+v", before, after)
	}
}

func TestFramesThatHaveGoneAreForgotten(t *testing.T) {
	f := newFake(t)
	f.added("S", "T", tool("early")) // of a document that was there before
	early := f.All()[0]
	f.navigated("T", "", "L1", "Navigation")
	for i := range 100 {
		frame := fmt.Sprint("F", i)
		f.navigated(frame, "T", "L", "Navigation")
		f.added("S", frame, tool("inner"))
		f.event("S", "Page.frameDetached", object{"frameId": frame, "reason": "remove"})
		f.event(frame, "Page.frameNavigated", object{"frame": object{"id": frame, "parentId": "T"}})
		f.Detach(frame)
	}
	if n := len(f.documents); n != 1 {
		t.Errorf("%d documents are remembered", n)
	}

	// A frame that goes to another process is told there before it is gone here, or after.
	f.navigated("G", "T", "L", "Navigation")
	f.event("S2", "Page.frameNavigated", object{"frame": object{"id": "G", "parentId": "T"}})
	f.added("S2", "G", tool("other"))
	before, _ := f.Find("G", "other")
	f.event("S", "Page.frameDetached", object{"frameId": "G", "reason": "swap"})
	f.added("S2", "G", tool("other"))
	if after, _ := f.Find("G", "other"); !after.Same(before) {
		t.Errorf("the same tool: %+v, %+v", before, after)
	}

	f.navigated("T", "", "L2", "Navigation")
	f.added("S", "T", tool("early"))
	if late := f.All()[0]; late.Same(early) || len(f.documents) != 1 {
		t.Errorf("%+v, %+v, %d documents", early, late, len(f.documents))
	}
}

func TestADocumentThatComesBackHasItsTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.navigated("T", "", "L1", "Navigation")
		f.added("S", "T", tool("own"))
		f.added("S", "F", tool("inner"))
		f.navigated("T", "", "L2", "Navigation")
		f.added("S", "T", tool("next"))
		if got := f.names(); got != "T/next" {
			t.Fatalf("tools: %s", got)
		}
		f.silent["WebMCP.enable"] = true
		f.added("S", "T", tool("own")) // before the navigation
		f.added("S3", "G", tool("other"))
		f.navigated("T", "", "L1", "BackForwardCacheRestore")
		if got := f.names(); got != "T/own F/inner G/other" {
			t.Errorf("tools: %s", got)
		}
		began := time.Now()
		if f.Ready(t.Context()); time.Since(began) != reportLimit || f.got("WebMCP.enable") != 1 {
			t.Errorf("the browser was asked %d times, for %v", f.got("WebMCP.enable"), time.Since(began))
		}
		f.silent["WebMCP.enable"] = false
		f.Detach("S3")
		f.navigated("T", "", "L2", "BackForwardCacheRestore")
		if got := f.names(); strings.Contains(got, "own") {
			t.Errorf("tools of the document that was left: %s", got)
		}
		f.Ready(t.Context())
		synctest.Wait()
	})
}

func TestDefinitionsAreBounded(t *testing.T) {
	f := newFake(t)
	long := tool("long")
	long["description"], long["inputSchema"] = strings.Repeat("d", 200_000), object{"x": strings.Repeat("s", maxSchema)}
	f.added("S", "T", long)
	one, _ := f.Find("T", "long")
	if len(one.Description) > maxDescription+10 || one.Schema != nil {
		t.Errorf("%d letters, a schema of %d", len(one.Description), len(one.Schema))
	}
	long["description"] = strings.Repeat("d", 199_999) + "e"
	f.added("S", "T", long)
	if other, _ := f.Find("T", "long"); other.Hash == one.Hash {
		t.Error("what is cut off does not count")
	}
	for i := range maxTools + 10 {
		many := tool(fmt.Sprint("t", i))
		many["inputSchema"] = object{"x": strings.Repeat("s", 2000)}
		f.added("S", "T", many)
	}
	if n := len(f.All()); n != maxTools || f.kept > maxKept {
		t.Errorf("%d tools, %d bytes", n, f.kept)
	}
}

func TestTheFirstAnswerCounts(t *testing.T) {
	f := newFake(t)
	f.added("S", "T", tool("a"))
	a, _ := f.Find("T", "a")
	i, err := f.Invoke(t.Context(), a, json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	f.invoked(i.ID, "a")
	f.responded(i.ID, "Completed", object{"output": "first"})
	f.responded(i.ID, "Completed", object{"output": []int{}})
	got, answered, err := f.Await(t.Context(), i)
	if string(got.Output) != `"first"` || !answered || err != nil || len(f.reported()) != 0 || f.remembered() != 0 {
		t.Errorf("%+v %v %v; reported %v", got, answered, err, f.reported())
	}

	i, _ = f.Invoke(t.Context(), a, json.RawMessage(`{}`))
	f.responded(i.ID, "Error", object{"errorText": "",
		"exception": object{"description": "Error: no way\n    at execute (http://x/:6:50)"}})
	if got, _, _ := f.Await(t.Context(), i); got.Status != Failed || got.Error != "Error: no way" {
		t.Errorf("%+v", got)
	}
}

func TestACallKeepsTheToolThatItWasMadeWith(t *testing.T) {
	f := newFake(t)
	f.added("S", "T", tool("a"))
	i, err := f.Invoke(t.Context(), f.All()[0], json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	f.event("S", "WebMCP.toolsRemoved", object{"tools": []object{{"name": "a", "frameId": "T"}}})
	told := make(chan struct{})
	go func() { defer close(told); f.invoked(i.ID, "a") }()
	if i.Tool.Description != "does a" {
		t.Errorf("the tool is %+v", i.Tool)
	}
	<-told
	if i.Tool.Description != "does a" {
		t.Errorf("once it has begun, the tool is %+v", i.Tool)
	}
}

func TestACallWhoseDocumentGoesHasThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.added("S", "T", tool("a"))
		a, _ := f.Find("T", "a")
		i, _ := f.Invoke(t.Context(), a, json.RawMessage(`{}`))
		began := time.Now()
		f.navigated("T", "", "L1", "Navigation")
		if _, _, err := f.Await(t.Context(), i); !errors.Is(err, ErrLeft) || time.Since(began) != leftLimit {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		_, _ = f.Invoke(t.Context(), a, json.RawMessage(`{}`)) // nobody waits for it
		f.navigated("T", "", "L0", "Navigation")
		<-time.After(time.Minute)
		if n := f.remembered(); n != 0 {
			t.Errorf("%d calls are remembered", n)
		}

		f.added("S", "T", tool("a"))
		a, _ = f.Find("T", "a")
		i, _ = f.Invoke(t.Context(), a, json.RawMessage(`{}`))
		f.navigated("T", "", "L2", "Navigation")
		time.AfterFunc(time.Second, func() { f.responded(i.ID, "Completed", object{"output": []int{}}) })
		if got, answered, err := f.Await(t.Context(), i); !answered || err != nil || string(got.Output) != "[]" {
			t.Errorf("one that answers late: %+v %v %v", got, answered, err)
		}

		f.added("S", "T", tool("a"))
		a, _ = f.Find("T", "a")
		i, _ = f.Invoke(t.Context(), a, json.RawMessage(`{}`))
		f.target.End(false)
		if _, _, err := f.Await(t.Context(), i); !errors.Is(err, ErrLeft) {
			t.Errorf("a closed tab: %v", err)
		}
		<-time.After(time.Minute)
	})
}

// A page of Chromium 156 crashes when a form's call is cancelled after the form was called again.
func TestAFormThatIsCalledAgain(t *testing.T) {
	f := newFake(t)
	one, other := tool("note"), tool("other")
	one["backendNodeId"], other["backendNodeId"] = 7, 8
	f.added("S", "T", one, other)
	note, _ := f.Find("T", "note")
	unrelated, _ := f.Find("T", "other")
	invoke := func(called Tool) *Invocation {
		t.Helper()
		i, err := f.Invoke(t.Context(), called, json.RawMessage(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		f.invoked(i.ID, called.Name)
		return i
	}

	waits, first := invoke(unrelated), invoke(note)
	f.heard = nil
	second := invoke(note)
	if got := strings.Join(f.heard, " "); got != "WebMCP.cancelInvocation WebMCP.invokeTool" {
		t.Errorf("the browser heard %s", got)
	}
	f.responded(first.ID, "Canceled", nil)
	if _, answered, err := f.Await(t.Context(), first); !answered || !errors.Is(err, ErrReplaced) {
		t.Errorf("the first call: %v %v", answered, err)
	}
	if f.Over(second) || f.Over(waits) {
		t.Error("another call has ended with it")
	}

	f.heard = nil
	f.invoked("X1", "note") // by a program
	f.Cancel(second)
	if len(f.heard) != 0 {
		t.Errorf("the browser heard %s", f.heard)
	}
	third := invoke(note)
	if all := f.reported(); len(all) != 1 || all[0].ID != "X1" || all[0].Status != Replaced {
		t.Errorf("the program's call: %+v", all)
	}
	f.responded(third.ID, "Completed", object{"output": "sent"})
	if got, _, err := f.Await(t.Context(), third); err != nil || string(got.Output) != `"sent"` {
		t.Errorf("the last call: %+v %v", got, err)
	}
}

func TestACallerThatGoesCancelsTheCallThatBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.added("S", "T", tool("a"))
		a, _ := f.Find("T", "a")
		answer := f.hold("WebMCP.invokeTool")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := f.Invoke(ctx, a, json.RawMessage(`{}`))
			ended <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		answer()
		synctest.Wait()
		if f.got("WebMCP.cancelInvocation") != 1 {
			t.Error("the call goes on")
		}
	})
}

func TestCallsOfOthersAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.added("S", "T", tool("a"))
		f.invoked("X1", "a")
		f.responded("X1", "Completed", object{"output": 1})
		f.responded("X1", "Completed", object{"output": 2})
		if all := f.reported(); len(all) != 1 || all[0].Tool.Name != "a" || string(all[0].Output) != "1" {
			t.Fatalf("%+v", all)
		}

		// While an own call begins, nobody knows whose a call is.
		f.silent["WebMCP.invokeTool"] = true
		a, _ := f.Find("T", "a")
		go func() { _, _ = f.Invoke(t.Context(), a, json.RawMessage(`{}`)) }()
		synctest.Wait()
		f.invoked("X2", "a")
		f.responded("X2", "Completed", nil)
		if all := f.reported(); len(all) != 1 {
			t.Fatalf("reported too early: %+v", all)
		}
		<-time.After(startLimit + time.Second)
		if n := len(f.reported()); n != 2 {
			t.Errorf("%d reports after it", n)
		}

		f.invoked("X3", "a")
		f.navigated("T", "", "L1", "Navigation")
		<-time.After(leftLimit + time.Second)
		if all := f.reported(); len(all) != 3 || all[2].Status != Left {
			t.Errorf("one that its page left: %+v", all)
		}
	})
}
