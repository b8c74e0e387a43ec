package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cove/internal/journal"
	"cove/internal/mcpserver/files"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/picture"
	"cove/internal/mcpserver/record"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/input/keyboard"
	"cove/internal/policy"
	"cove/internal/wording"
)

// RunTool runs another tool as a step of this call. An error of it is in the result already.
func (c *Call) RunTool(ctx context.Context, t Tool, raw json.RawMessage) error {
	c.Approval.part = true
	if err := c.runStep(ctx, t, raw); err != nil {
		c.addFault(err)
		return err
	}
	c.client.updatePages()
	return nil
}

// runStep runs a tool: it waits until the agent may act, asks for the rights that the tool needs, and records the step.
func (c *Call) runStep(ctx context.Context, t Tool, raw json.RawMessage) error {
	if t.Composite { // its steps come here one by one
		return t.Run(ctx, c, raw)
	}

	c.Record = record.Begin(raw, c.Redact)
	c.Record.Reads = t.ReadOnly
	c.Approval.step, c.Approval.done = t.Name+" "+digest(raw), len(c.Approval.used)
	c.Approval.where = func(ctx context.Context) string { return c.namedTab(ctx, t, raw) }
	c.shared.screenshots.Pause()
	defer c.shared.screenshots.Unpause()

	ctx, end := c.guardTab(ctx, t)
	defer end()
	if c.touched != nil {
		ctx = page.WithTouches(ctx, c.touched)
	}
	said := len(c.parts)
	err := c.authorize(ctx, t, raw)
	if err == nil {
		err = t.Run(ctx, c, raw)
	}
	if err == nil {
		c.hintPageTools()
	}
	if taken(ctx) { // whatever it has read may be the person's
		c.parts, c.image = c.parts[:said], nil
		err = policy.TabTakenMeanwhile()
	}
	if ended := c.admission.Err(); ended != nil && err != nil {
		err = ended
	}

	c.writeRecord(t, err)
	return err
}

// authorize waits for the agent's turn and asks for everything that a tool needs whatever the page is.
func (c *Call) authorize(ctx context.Context, t Tool, raw json.RawMessage) error {
	if t.AsksPerson {
		return nil
	}
	if err := c.awaitTurn(ctx, !t.ReadOnly); err != nil {
		return err
	}
	if err := c.checkSelection(t, raw); err != nil {
		return err
	}
	if err := c.authorizeNeeds(ctx, t, raw); err != nil {
		return err
	}

	// An agent that a person has allowed downloads once and for all gets them during every step that acts.
	asks := c.Approval.enforcer.Rules().Right(policy.Download) == policy.Ask
	switch {
	case t.ReadOnly || !asks:
	case c.admission.NeedsApproval(policy.Download):
		c.takeLateYes(ctx)
	default:
		c.shared.downloads.Grant(ctx, false)
	}
	return nil
}

// awaitTurn waits while the person has taken over, or another agent drives.
func (c *Call) awaitTurn(ctx context.Context, acts bool) error {
	stop := c.progress.Waiting(ctx, "Waiting: the user has taken over, or another agent is in control")
	defer stop()
	return c.admission.Begin(ctx, acts)
}

// checkSelection says once that the page which calls without a pageId mean has closed, and that they mean another one
// now. It refuses the first call that would act there.
func (c *Call) checkSelection(t Tool, raw json.RawMessage) error {
	var in OnPage
	c.acts = false
	wrong := len(raw) > 0 && json.Unmarshal(raw, &in) != nil // the tool says so itself
	if wrong || in.PageID != nil || !t.hasPage() {
		return nil
	}

	c.acts = !t.ReadOnly
	notice := c.Pages.ClosedNotice()
	switch {
	case notice == "":
		return nil
	case t.ReadOnly:
		c.Say("%s", notice)
		return nil
	}
	return pageClosed(notice)
}

// authorizeNeeds asks for the rights that a tool needs whatever its arguments are.
func (c *Call) authorizeNeeds(ctx context.Context, t Tool, raw json.RawMessage) error {
	if t.Check(raw) != nil {
		return nil //nolint:nilerr // the tool says what is wrong before it does anything
	}

	for _, n := range needsOf(t, raw) {
		var err error
		if c.admission.NeedsApproval(n.Class) {
			on, wrong := c.subject(ctx, raw)
			if wrong != nil {
				return wrong
			}
			err = c.authorizeNeed(ctx, n, on, raw)
		} else { // nobody is asked, so the page need not be found out
			err = c.admission.Authorize(ctx, policy.Request{Class: n.Class})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// authorizeNeed asks for one right. An upload is asked for with the files as they are: when they have changed before it
// begins, the person is asked again.
func (c *Call) authorizeNeed(ctx context.Context, n Need, on Subject, raw json.RawMessage) error {
	if n.Class != policy.Upload {
		return c.Approval.Authorize(ctx, n.Class, on, n.What(raw))
	}
	var input any
	_ = json.Unmarshal(raw, &input)
	names := files.PathsIn(input)
	for {
		version, err := c.Files.Version(ctx, names)
		if err != nil {
			return err
		}
		on.version = " " + version
		err = c.Approval.Authorize(ctx, n.Class, on, n.What(raw))
		if err != nil || !c.admission.NeedsApproval(n.Class) { // the person may have allowed every file
			return err
		}
		if now, err := c.Files.Version(ctx, names); err != nil || now == version {
			return err
		}
	}
}

// namedTab returns the browser's name of the tab that a step is for, however the agent names it; "" for none.
func (c *Call) namedTab(ctx context.Context, t Tool, raw json.RawMessage) string {
	var in OnPage
	if !t.hasPage() || len(raw) > 0 && json.Unmarshal(raw, &in) != nil {
		return ""
	}
	var tab *page.Tab
	if in.PageID != nil {
		tab = c.Pages.ByNumber(int(*in.PageID))
	} else if c.Browser.AwaitTab(ctx) == nil {
		tab = c.Pages.Selected()
	}
	switch {
	case tab != nil:
		return " in " + tab.ID()
	case in.PageID != nil:
		return fmt.Sprintf(" in page %v", *in.PageID)
	}
	return ""
}

// digest stands for arguments, however they are written. How long a step may take, whether the agent wants to see the
// page after it and how it names the page make it no other step: the tab itself is compared.
func digest(raw json.RawMessage) string {
	var args any
	_ = json.Unmarshal(raw, &args)
	if object, ok := args.(map[string]any); ok {
		delete(object, "timeout")
		delete(object, "includeSnapshot")
		delete(object, "pageId")
	}
	text, _ := json.Marshal(args) // with its keys in order
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func needsOf(t Tool, raw json.RawMessage) []Need {
	needs := slices.Clone(t.Needs)
	if !t.ReadOnly {
		act := Need{policy.Act, func(json.RawMessage) string { return "use the tool " + t.Name }}
		needs = slices.Insert(needs, 0, act)
	}
	if keys := clipboardKeys(raw); keys != "" {
		what := "press " + keys + ", which uses your clipboard,"
		needs = append(needs, Need{policy.Clipboard, func(json.RawMessage) string { return what }})
	}
	return needs
}

// clipboardKeys returns the combination of keys in a call's arguments that pastes, copies or cuts; "" for none.
func clipboardKeys(raw json.RawMessage) string {
	var in struct{ Key, SubmitKey string }
	_ = json.Unmarshal(raw, &in)
	for _, keys := range []string{in.Key, in.SubmitKey} {
		if keyboard.UsesClipboard(keys) {
			return wording.Shorten(redaction.URLText(keys), 40)
		}
	}
	return ""
}

// subject finds the page and the element that a call names. It fails only where the person works in that page, or where
// the page is another agent's.
func (c *Call) subject(ctx context.Context, raw json.RawMessage) (Subject, error) {
	var in struct {
		OnPage
		UID string `json:"uid"`
	}
	_ = json.Unmarshal(raw, &in)
	tab, err := c.FindTab(ctx, in.OnPage)
	if !errors.Is(err, policy.TabTakenMeanwhile()) && !isTabOwned(err) {
		err = nil // the tool says so itself
	}
	return Subject{Tab: tab, UID: in.UID}, err
}

// checkFiles checks the files that a call names before it does anything: a refusal must not come after the action.
func (c *Call) checkFiles(ctx context.Context, t Tool, raw json.RawMessage) error {
	var input any
	if json.Unmarshal(raw, &input) != nil || t.Check(raw) != nil {
		return nil //nolint:nilerr // the tool says what is wrong
	}
	for _, name := range files.PathsIn(input) {
		if _, err := c.Files.Resolve(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// writeRecord writes a step into the journal. The picture after it has an entry of its own: it is captured later, and
// no call waits for it. The picture before it is the last one that was captured of its page.
func (c *Call) writeRecord(t Tool, err error) {
	recorder := c.shared.journal
	var required *peer.InputRequired
	if recorder == nil || errors.As(err, &required) { // with the client's reply the call comes again
		return
	}

	e := c.Record.Entry(t.Name, t.Types, err)
	e.Agent, e.Session = c.admission.Agent(), c.admission.Session()
	tab := c.Record.Tab
	shows := tab != nil && e.Outcome != journal.Refused && !c.Approval.enforcer.Rules().NoScreenshots
	if shows && !t.ReadOnly {
		e.Before, e.BeforeTime = c.Record.Before.Image, c.Record.Before.At
	}
	recorder.Record(e) // at once: the entry outlives a keeper that is killed now

	switch {
	case shows && !t.ReadOnly:
		number := c.Record.Number
		c.shared.screenshots.Add(func() {
			// When the next step has begun, the picture may show what that did: it is none of this step.
			current := func() bool { return c.shared.last.Current(tab.ID()) == number }
			if !current() && !c.shared.last.Old(tab.ID()) {
				return
			}
			if taken, ok := c.capturePage(tab, current); ok && current() {
				recorder.Record(record.Screenshot(e, taken))
			}
		})
	case shows && c.Record.Before.Page != e.Page: // the next step is to have the page as it was before
		begun := c.shared.last.Current(tab.ID())
		c.shared.screenshots.Add(func() {
			_, _ = c.capturePage(tab, func() bool { return c.shared.last.Current(tab.ID()) == begun })
		})
	}
}

// capturePage captures a picture of a page for the journal, unless the person does not want one now. It waits for a
// busy page while the picture is wanted.
func (c *Call) capturePage(tab *page.Tab, wanted func() bool) (picture.Moment, bool) {
	enforcer := c.Approval.enforcer
	private := c.PersonWorksIn(tab)
	if enforcer.Rules().NoScreenshots || private() {
		return picture.Moment{}, false
	}
	image := picture.Capture(tab, func() bool { return wanted() && !private() })
	if image == nil || private() {
		return picture.Moment{}, false
	}
	taken := picture.Moment{Image: image, At: time.Now().UTC(), Page: c.Redact.PageURL(tab)}
	c.shared.last.Set(tab.ID(), taken)
	return taken, true
}
