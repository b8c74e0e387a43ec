package scope

import (
	"context"
	"encoding/json"
	"strings"

	"cove/internal/cdp"
)

// command is a command of a client.
type command struct {
	id      int32
	at      string // the session
	method  string
	params  map[string]json.RawMessage
	message []byte
}

func (c command) text(name string) (s string) {
	_ = json.Unmarshal(c.params[name], &s)
	return s
}

func (c command) flag(name string) (on bool) {
	_ = json.Unmarshal(c.params[name], &on)
	return on
}

func (c command) number(name string) (n int, ok bool) {
	err := json.Unmarshal(c.params[name], &n)
	return n, err == nil && c.has(name)
}

func (c command) has(name string) bool {
	_, there := c.params[name]
	return there
}

func (c command) filter(name string) (filter, error) {
	if !c.has(name) || string(c.params[name]) == "null" {
		return usual, nil
	}
	f := filter{}
	err := json.Unmarshal(c.params[name], &f)
	return f, err
}

// verdict says what becomes of a command.
type verdict struct {
	// pass sends it to the browser. Otherwise it is answered with result or failed.
	pass   bool
	result any
	failed *cdp.Error
	// first is done before that, then after that. Both may be nil.
	first, then func()
	// edit changes the browser's answer.
	edit func(result any) any
	// params take the place of the command's.
	params map[string]json.RawMessage
	// later decides in a goroutine of its own, because the browser has to be asked. nodes says that it is asked where
	// nodes are, so that the next commands have to wait.
	later func() verdict
	nodes bool
}

func pass() verdict                 { return verdict{pass: true} }
func done() verdict                 { return verdict{} }
func result(r any) verdict          { return verdict{result: r} }
func refuse(text string) verdict    { return refuseAs(refused(text)) }
func refuseAs(e *cdp.Error) verdict { return verdict{failed: e} }

// refused is the error of a command that would reach beyond what exists for agents.
func refused(text string) *cdp.Error { return &cdp.Error{Code: -32000, Message: text} }

// errTarget is what the browser says of a target that does not exist.
var errTarget = &cdp.Error{Code: -32602, Message: "No target with given id found"}

// Write judges one command of the mux, and sends it to the browser or answers it.
func (b *Browser) Write(terminated []byte) error {
	raw := terminated[:len(terminated)-1]
	msg, err := cdp.ParseClient(raw)
	if err != nil {
		return err
	}
	c := command{at: msg.Session(), method: msg.Method(), message: terminated}
	c.id, _ = msg.ID()
	params := msg.Params()
	if string(params) == "null" {
		params = nil
	}
	if c.params, err = cdp.Fields(params); err != nil {
		b.out.reply(c, nil, refused("The parameters of "+c.method+" cannot be read: "+err.Error()+"."))
		return nil //nolint:nilerr // the client has the answer
	}
	b.mu.Lock()
	if s := b.sessions.byID[c.at]; s != nil && s.locating && followsNodes(c) {
		s.behind = append(s.behind, c)
		b.mu.Unlock()
		return nil
	}
	v := b.judge(c)
	b.mu.Unlock()
	return b.carryOut(c, v)
}

func (b *Browser) carryOut(c command, v verdict) error {
	if v.later != nil {
		go func() {
			if err := b.carryOut(c, v.later()); err != nil {
				b.out.reply(c, nil, refused(err.Error()))
			}
			if v.nodes {
				b.goOn(c.at)
			}
		}()
		return nil
	}
	if v.first != nil {
		v.first()
	}
	var err error
	if v.pass {
		err = b.send(c, v)
	} else {
		b.out.reply(c, v.result, v.failed)
	}
	if v.then != nil {
		v.then()
	}
	return err
}

// send sends a command to the browser.
func (b *Browser) send(c command, v verdict) error {
	b.mu.Lock()
	if b.sessions.byID[c.at] == nil { // it has ended while the browser was asked something
		b.mu.Unlock()
		b.out.reply(c, nil, errSession)
		return nil
	}
	b.sessions.unanswered.add(c.id, c.at, v.edit)
	b.mu.Unlock()
	if v.params == nil {
		return b.conn.Write(c.message)
	}
	raw, err := json.Marshal(struct {
		ID      int32                      `json:"id"`
		Method  string                     `json:"method"`
		Params  map[string]json.RawMessage `json:"params"`
		Session string                     `json:"sessionId,omitempty"`
	}{c.id, c.method, v.params, c.at})
	if err != nil {
		return err
	}
	return b.conn.Write(append(raw, 0))
}

// judge decides what becomes of a command. The caller holds mu.
func (b *Browser) judge(c command) verdict {
	s := b.sessions.byID[c.at]
	switch domain, _, _ := strings.Cut(c.method, "."); {
	case s == nil:
		return refuseAs(&cdp.Error{Code: noSession, Message: "Session with given id not found."})
	case domain == "Target" && (s.kind != ofPage || c.method != "Target.setAutoAttach"):
		return b.judgeTarget(s, c)
	case domain == "Browser":
		return b.judgeBrowser(s, c)
	case c.method == "Schema.getDomains":
		return pass()
	case s.kind == ofStrip && c.method == "Runtime.runIfWaitingForDebugger":
		return done()
	case s.kind != ofPage:
		return refuse(c.method + " reaches beyond the tabs that are shared. Send it to the session of a tab.")
	}
	return b.judgePage(s, c)
}

// judgeTarget judges the commands about targets, which a page's session could send as well.
func (b *Browser) judgeTarget(s *session, c command) verdict {
	id := c.text("targetId")
	switch c.method {
	case "Target.getTargets":
		return b.targets(c)
	case "Target.getBrowserContexts":
		return result(object{"browserContextIds": []string{}, "defaultBrowserContextId": b.tabs.profile})
	case "Target.getTargetInfo":
		return b.targetInfo(s, id)
	case "Target.setDiscoverTargets":
		if s.kind != ofBrowser {
			return refuse("A tab does not report other tabs. Send it to the browser's own session.")
		}
		return b.setDiscoverTargets(c.at, s, c)
	case "Target.setAutoAttach":
		return b.setAutoAttach(c.at, s, c)
	case "Target.attachToBrowserTarget":
		if s.kind == ofBrowser {
			return pass()
		}
	case "Target.attachToTarget":
		return b.attachTo(s, c, id)
	case "Target.detachFromTarget":
		return b.detach(c.at, c)
	case "Target.activateTarget": // it would take the keyboard from the person
		if b.tabs.isVisible(id) || b.tabs.byStrip(id) != nil {
			return done()
		}
		return refuseAs(errTarget)
	case "Target.closeTarget":
		return b.closeTarget(id)
	case "Target.createTarget":
		return b.createTarget(c)
	}
	return refuse(c.method + " is not available in a browser that a person shares: it reaches beyond the shared tabs.")
}

func (b *Browser) targets(c command) verdict {
	f, err := c.filter("filter")
	if err != nil {
		return refuse("The filter cannot be read.")
	}
	return verdict{later: func() verdict {
		ctx, cancel := context.WithTimeout(context.Background(), queryLimit)
		defer cancel()
		if err := b.ReadTitles(ctx); err != nil {
			return refuse("The browser does not answer.")
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		return result(object{"targetInfos": b.tabs.describe(f)})
	}}
}

func (b *Browser) targetInfo(s *session, id string) verdict {
	strip := b.tabs.byStrip(id)
	switch {
	case id == "" && s.kind == ofStrip:
		strip = b.tabs.byID[s.tab]
	case id == "" && s.kind == ofBrowser:
		return pass()
	case id == "":
		id = s.target
	}
	if b.tabs.isVisible(id) {
		return verdict{pass: true, edit: func(result any) any {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.tabs.editInfo(id, result)
		}}
	}
	if f := b.frames.byID[id]; f.raw != nil && f.open && b.tabs.isVisible(f.tab) {
		return result(object{"targetInfo": f.raw})
	}
	if s.kind == ofPage && id == s.target {
		return pass() // of a worker, which stays where it began
	}
	if strip == nil {
		return refuseAs(errTarget)
	}
	return result(object{"targetInfo": strip.describeStrip()})
}

func (b *Browser) attachTo(s *session, c command, id string) verdict {
	if s.kind == ofPage {
		return refuse("Attach to other tabs from the browser's own session.")
	}
	if !c.flag("flatten") {
		return refuse("Sessions inside sessions do not exist in a browser that a person shares. Set flatten to true.")
	}
	if t := b.tabs.byStrip(id); t != nil {
		session := b.sessions.newStrip(c.at, t)
		event := object{"sessionId": session, "targetInfo": t.describeStrip(), "waitingForDebugger": false}
		return verdict{first: func() { b.out.event(c.at, "Target.attachedToTarget", event) },
			result: object{"sessionId": session}}
	}
	if !b.tabs.isVisible(id) || s.kind != ofBrowser {
		return refuseAs(errTarget)
	}
	return pass()
}

// closeTarget closes a tab that agents have opened. Any other tab is the person's and stays: agents stop seeing it.
func (b *Browser) closeTarget(id string) verdict {
	t := b.tabs.byID[id]
	if strip := b.tabs.byStrip(id); strip != nil {
		t = strip
	}
	if t == nil || !t.shown {
		return refuseAs(errTarget)
	}
	id = t.ID
	if !t.own {
		return verdict{result: object{"success": true}, then: func() { b.Share(id, false) }}
	}
	closing, err := json.Marshal(id)
	if err != nil {
		return refuseAs(errTarget)
	}
	return verdict{pass: true, params: map[string]json.RawMessage{"targetId": closing}}
}
