package webmcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/target"
)

// Status is how an invocation has ended.
type Status string

// The statuses that the browser reports, and two for an invocation that gets no answer: its document went, or the same
// form was called again.
const (
	Completed Status = "Completed"
	Canceled  Status = "Canceled"
	Failed    Status = "Error"
	Left      Status = "Left"
	Replaced  Status = "Replaced"
)

// Answer is the first answer of a tool. A tool that navigates can answer twice.
type Answer struct {
	Status Status
	// Output is what the tool returned, and Error why it failed, in the page's words and without a stack.
	Output json.RawMessage
	Error  string
}

// Invocation is one call of a tool, by us or by a program. Its fields are set when it has been handed out; only Tools
// changes those below them.
type Invocation struct {
	ID    string
	Tool  Tool
	Input string
	Began time.Time
	Ended time.Time
	Answer

	own      bool
	answered bool
	left     bool // its document has gone
}

// ErrLeft says that a tool's document went before the tool answered.
var ErrLeft = fault.New(fault.CodeLeft,
	"The page went elsewhere; whether its tool has finished is not known.",
	"Take a snapshot to see what is there before you call it again.")

// ErrToolGone says that a tool went just before it was called.
var ErrToolGone = fault.New(fault.CodeNoPageTool, "The page no longer offers this tool. Nothing was done.",
	"list_page_tools shows what it offers now.")

// ErrReplaced says that a form that waited to be sent was called again.
var ErrReplaced = fault.New(fault.CodePageTool,
	"Its form was called again before it was sent. That call has taken its place.",
	"Take a snapshot to see what the form holds now.")

const (
	// leftLimit is how long a tool may take to answer after its document has gone: one that navigates answers with what
	// the next document says.
	leftLimit = 3 * time.Second
	// startLimit is how long the browser may take to begin an invocation.
	startLimit = 10 * time.Second
	// maxInvocations is how many invocations of a tab are followed at a time.
	maxInvocations = 200
)

func (t *Tools) invocationEvent(e cdp.Event) {
	p, ok := target.Decode[struct {
		ID        string `json:"invocationId"`
		Name      string `json:"toolName"`
		Frame     string `json:"frameId"`
		Input     string `json:"input"`
		Status    Status `json:"status"`
		Output    json.RawMessage
		ErrorText string
		Exception struct {
			Description string
			Value       json.RawMessage
		}
	}](e)
	if !ok {
		return
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	if e.Method == "WebMCP.toolInvoked" {
		one := t.follow(p.ID)
		if one.own { // what it is was known before
			return
		}
		one.Tool, one.Input = Tool{Name: p.Name, Frame: p.Frame, session: e.Session}, p.Input
		if known, there := t.all[key{p.Frame, p.Name}]; there {
			one.Tool = known
			t.replace(known, one)
			t.reportOthers()
		}
		return
	}
	i := t.invocations[p.ID]
	if i == nil || i.answered { // the first answer counts
		return
	}
	i.answered, i.Ended = true, time.Now()
	i.Answer = Answer{Status: p.Status, Output: p.Output, Error: p.ErrorText}
	if i.Error == "" {
		i.Error = withoutStack(p.Exception.Description)
	}
	if i.Error == "" && p.Status == Failed {
		i.Error = string(p.Exception.Value)
	}
	t.reportOthers()
}

// follow returns the invocation with an id. The caller has locked mu.
func (t *Tools) follow(id string) *Invocation {
	if i := t.invocations[id]; i != nil {
		return i
	}
	if len(t.invocations) >= maxInvocations {
		var oldest *Invocation
		for _, i := range t.invocations {
			if !i.own && (oldest == nil || i.Began.Before(oldest.Began)) {
				oldest = i
			}
		}
		if oldest != nil {
			delete(t.invocations, oldest.ID)
		}
	}
	i := &Invocation{ID: id, Began: time.Now()}
	t.invocations[id] = i
	return i
}

// reportOthers hands over the invocations of others that have ended. While an own invocation begins, nobody knows yet
// whose they are. The caller has locked mu.
func (t *Tools) reportOthers() {
	if t.starting > 0 {
		return
	}
	for id, i := range t.invocations {
		if i.own || !i.answered {
			continue
		}
		delete(t.invocations, id)
		if t.heard != nil {
			t.heard(*i)
		}
	}
}

// replace ends the invocations of a form that wait for it to be sent, but for by, which takes their place: the browser
// never answers them. It returns them. The caller has locked mu.
func (t *Tools) replace(form Tool, by *Invocation) (ended []*Invocation) {
	for _, i := range t.invocations {
		same := form.IsForm() && i.Tool.Form == form.Form && i.Tool.session == form.session
		if !same || i == by || i.answered {
			continue
		}
		i.answered, i.Ended, i.Answer = true, time.Now(), Answer{Status: Replaced}
		ended = append(ended, i)
	}
	return ended
}

// giveUpLater ends an invocation that gets no answer after its document has gone. An own one may have nobody who waits.
func (t *Tools) giveUpLater(i *Invocation) {
	time.AfterFunc(leftLimit, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !i.answered {
			i.answered, i.Ended, i.Answer = true, time.Now(), Answer{Status: Left}
			t.reportOthers()
		}
		if i.own {
			delete(t.invocations, i.ID)
		}
	})
}

// withoutStack returns what an exception says, without the lines that tell where it was thrown.
func withoutStack(description string) string {
	text, _, _ := strings.Cut(description, "\n    at ")
	return text
}

// Invoke calls a tool and returns when the browser has begun. Whoever calls it must call Await or Cancel.
func (t *Tools) Invoke(ctx context.Context, tool Tool, input json.RawMessage) (*Invocation, error) {
	t.mu.Lock()
	t.starting++
	before := t.replace(tool, nil)
	t.mu.Unlock()
	for _, i := range before { // now: a page of Chromium 156 crashes when one is cancelled after the next has begun
		t.cancel(i)
	}
	params := object{"frameId": tool.Frame, "toolName": tool.Name, "input": input}
	pending := t.target.Conn.Start(tool.session, "WebMCP.invokeTool", params)

	begun := make(chan error, 1)
	var i *Invocation
	go func() { // to its end, also when the caller has gone: what has begun must be known, and can be cancelled
		limited, cancel := t.target.Bound(context.WithoutCancel(ctx), startLimit)
		defer cancel()
		var r struct{ InvocationID string }
		err := pending.Wait(limited, &r)
		t.mu.Lock()
		t.starting--
		if err == nil {
			i = t.follow(r.InvocationID)
			i.own, i.Tool, i.Input = true, tool, string(input)
		}
		t.reportOthers()
		t.mu.Unlock()
		begun <- err
	}()

	select {
	case err := <-begun:
		var refused *cdp.Error
		if errors.As(err, &refused) {
			return nil, ErrToolGone
		}
		return i, err
	case <-ctx.Done():
		go func() {
			if <-begun == nil {
				t.Cancel(i)
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// Await waits for the answer of an own invocation. answered is false when a dialog blocks the page first. The error is
// the cause of ctx, or ErrLeft. An invocation that has an answer or has failed is forgotten.
func (t *Tools) Await(ctx context.Context, i *Invocation) (a Answer, answered bool, err error) {
	over := func(left bool) bool { answered, gone := t.state(i); return answered || (left && gone) }
	blocked := func() bool { return t.target.Dialog() != nil }
	err = target.Until(ctx, &t.target.Changed, func() bool { return over(true) || blocked() })
	if err == nil && !over(false) && !blocked() { // its document has gone
		limited, cancel := context.WithTimeoutCause(ctx, leftLimit, ErrLeft)
		err = target.Until(limited, &t.target.Changed, func() bool { return over(false) })
		cancel()
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	if i.answered {
		delete(t.invocations, i.ID)
		switch i.Status {
		case Left:
			return Answer{}, true, ErrLeft
		case Replaced:
			return Answer{}, true, ErrReplaced
		}
		return i.Answer, true, nil
	}
	if err != nil && errors.Is(err, ErrLeft) {
		delete(t.invocations, i.ID)
	}
	return Answer{}, false, err
}

// state reports whether an invocation has an answer, and whether its document or its tab has gone.
func (t *Tools) state(i *Invocation) (answered, gone bool) {
	ended := t.target.Life().Err() != nil
	t.mu.Lock()
	defer t.mu.Unlock()
	return i.answered, i.left || ended
}

// Over reports whether Await would return at once, or soon, with an answer: the tool has answered, or its document has
// gone.
func (t *Tools) Over(i *Invocation) bool {
	answered, gone := t.state(i)
	return answered || gone
}

// Cancel ends an own invocation: the page's script is told, and its answer counts no more.
func (t *Tools) Cancel(i *Invocation) {
	t.mu.Lock()
	delete(t.invocations, i.ID)
	over := i.answered
	t.mu.Unlock()
	if !over {
		t.cancel(i)
	}
}

// cancel lets the browser end an invocation. It must not be one whose form has been called again.
func (t *Tools) cancel(i *Invocation) {
	t.target.Post(i.Tool.session, "WebMCP.cancelInvocation", object{"invocationId": i.ID})
}
