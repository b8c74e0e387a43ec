package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/snapshot"
)

// answer is what a tool says, in the order in which agents know it: its own lines, what it has set off, pages, snapshot, error.
type answer struct {
	parts []part
	image *capture.Image
}

// part is a piece of an answer; what comes from a page is marked as such.
type part struct {
	text     string
	fromPage bool
}

// say adds a line of ours.
func (a *answer) say(format string, args ...any) {
	a.parts = append(a.parts, part{text: fmt.Sprintf(format, args...)})
}

// show adds text that a page has written.
func (a *answer) show(text string) {
	a.parts = append(a.parts, part{text: text, fromPage: true})
}

// quote adds one line that a page has written, or part of it, after a word of ours. Longer texts get the boundary.
func (a *answer) quote(lead, text string) {
	if strings.ContainsAny(text, "\n\r") || len(text) > longestQuote {
		a.say("%s", lead)
		a.show(text)
		return
	}
	a.say("%s %s", lead, inline(text))
}

// longestQuote is what stands on a line of ours.
const longestQuote = 600

// inline is a page's text inside a sentence of ours, between marks that it cannot hold itself: on one line, so that it ends where we say.
func inline(text string) string { return "«" + marks.Replace(snapshot.Clean(text)) + "»" }

var marks = strings.NewReplacer("«", "‹", "»", "›", "<page-", "‹page-", "</page-", "‹/page-")

// render writes the parts. What comes from pages stands inside a boundary with a number that no page can know, so that none can
// pretend that its text has ended.
func (a *answer) render() string {
	var b strings.Builder
	boundary := "page-" + nonce()
	inside := false
	for _, p := range a.parts {
		if p.fromPage != inside {
			if inside {
				b.WriteString("</" + boundary + ">\n")
			} else {
				b.WriteString("<" + boundary + ">\n")
			}
			inside = p.fromPage
		}
		b.WriteString(strings.TrimRight(p.text, "\n"))
		b.WriteByte('\n')
	}
	if inside {
		b.WriteString("</" + boundary + ">\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func nonce() string {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// result is the answer as the protocol wants it.
func (a *answer) result(failed bool) *mcp.CallToolResult {
	r := &mcp.CallToolResult{IsError: failed}
	if text := a.render(); text != "" {
		r.Content = append(r.Content, &mcp.TextContent{Text: text})
	}
	if a.image != nil {
		r.Content = append(r.Content, &mcp.ImageContent{Data: a.image.Data, MIMEType: a.image.MIME})
	}
	if len(r.Content) == 0 {
		r.Content = []mcp.Content{&mcp.TextContent{Text: "Done."}}
	}
	return r
}

// fail adds an error. A sentence that quotes the page stands between marks.
func (a *answer) fail(err error) {
	var dialog *page.DialogOpen
	if errors.As(err, &dialog) {
		a.dialog(&dialog.Dialog)
		a.say("Error: A dialog is open.")
		return
	}
	if errors.Is(err, context.Canceled) {
		a.say("Error: The call was cancelled.")
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) && errors.Is(err, context.DeadlineExceeded) {
		a.say("Error: It has taken too long.")
		a.say("Take a snapshot to see what is there, then try again.")
		return
	}
	if f == nil {
		a.quote("Error:", err.Error())
		return
	}
	if quotesPage[f.Code] {
		a.quote("Error:", f.Text)
	} else {
		a.say("Error: %s", f.Text)
	}
	if f.Hint != "" {
		a.say("%s", f.Hint)
	}
}

// quotesPage are the codes of errors whose sentence holds names of the page.
var quotesPage = map[string]bool{"E_UID": true, "E_COVERED": true, "E_HIDDEN": true, "E_DISABLED": true, "E_NOT_TAKEN": true, "E_OPTION": true,
	"E_READONLY": true, "E_VALUE": true, "E_NO_CHOOSER": true, "E_FOCUS": true, "E_PICKER": true, "E_MISSED": true, "E_REDRAWN": true}

func (a *answer) dialog(d *page.Dialog) {
	a.say("# Open dialog")
	a.quote("It says:", snapshot.Clean(d.String()))
	a.say("Call handle_dialog to handle it before continuing.")
}

// effects tells what an action has set off.
func (c *call) effects(ctx context.Context, e page.Effects) {
	if e.Refused != nil {
		c.say("Refused: %s", e.Refused.Error())
	}
	if e.Navigated != "" {
		c.say("Page navigated to %s.", c.address(e.Navigated))
	}
	for _, t := range e.Opened {
		closed := ""
		if t.Closed() {
			closed = " (it has closed again)"
		}
		c.say("Opened page %d: %s%s", c.client.idOf(t), c.address(t.About().URL), closed)
	}
	for _, d := range e.Downloads {
		c.quote(fmt.Sprintf("Download %s:", d.State), c.downloadText(d))
		c.held(ctx, d)
	}
	if e.Chooser {
		c.say("The page asked for a file: call upload_file with the same uid.")
	}
	switch e.Busy {
	case "loading":
		c.say("The new page is still loading.")
	case "requests":
		c.say("Requests of the page are still under way.")
	case "hanging":
		c.say("The page has not answered since: its script is still running.")
	}
	if e.Nothing {
		c.say("Nothing on the page has changed yet. Look again before you repeat this.")
	}
	if e.Closed {
		c.say("The page has closed itself.")
	}
	if e.Dialog != nil {
		c.dialog(e.Dialog)
	}
}

// urlText is an address on one line, without anything that could look like a sentence of ours.
func urlText(address string) string {
	address = RedactURL(address)
	address = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == '<' || r == '>' {
			return -1
		}
		return r
	}, address)
	if len(address) > 500 {
		address = strings.ToValidUTF8(address[:500], "") + "…"
	}
	return address
}

// downloadText tells of a file by the name that the page has given it.
func (c *call) downloadText(d page.Download) string {
	text := strings.NewReplacer("<", "_", ">", "_").Replace(c.words(d.Name, 200))
	if d.Path != "" {
		text += " in " + d.Path
	}
	if d.Bytes > 0 {
		text += fmt.Sprintf(" (%d bytes)", d.Bytes)
	}
	return text
}

// title tells what a page calls itself.
func (c *call) title(ctx context.Context, t *page.Tab) {
	c.browser.Refresh(ctx)
	about := t.About()
	if title := snapshot.Clean(about.Title); title != "" && title != about.URL {
		c.say("Page %d: %s", c.client.idOf(t), inline(c.words(about.Title, 120)))
	}
}

// pages lists the open pages.
func (c *call) pages(ctx context.Context) {
	c.browser.Refresh(ctx)
	if text := c.closedText(); text != "" {
		c.say("%s", text)
	}
	c.say("## Pages")
	selected := c.client.current()
	var b strings.Builder
	for _, t := range c.browser.Tabs() {
		about := t.About()
		line := fmt.Sprintf("%d: ", c.client.idOf(t))
		title := snapshot.Clean(about.Title)
		switch title {
		case "", about.URL:
			line += c.address(about.URL)
		default:
			line += c.words(about.Title, 120) + " (" + c.address(about.URL) + ")"
		}
		if t == selected {
			line += " [selected]"
		}
		if about.Discarded {
			line += " [not loaded]"
		} else if about.Crashed {
			line += " [crashed]"
		}
		if name := c.client.contextName(about.Context); name != "" {
			line += " isolatedContext=" + name
		}
		b.WriteString(line + "\n")
	}
	if b.Len() == 0 {
		c.say("No page is open. Open one with new_page.")
		return
	}
	c.show(b.String())
}

func clip(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most]) + "…"
}
