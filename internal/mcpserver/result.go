package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/random"
	"cove/internal/snapshot/text"
)

// Result is what an agent reads of a call. Its order is the one that agents know: sentences of ours, what the call has
// caused, pages, snapshot, error. Text that a page has written never stands among ours without a mark around it.
type Result struct {
	sections []section
	image    *capture.Image
}

// section is a piece of a result.
type section struct {
	text     string
	fromPage bool
}

// Say adds a sentence of ours.
func (r *Result) Say(format string, args ...any) {
	r.sections = append(r.sections, section{text: fmt.Sprintf(format, args...)})
}

// Show adds text that a page has written.
func (r *Result) Show(text string) {
	r.sections = append(r.sections, section{text: text, fromPage: true})
}

// maxQuote is the longest text of a page that stands on a line of ours.
const maxQuote = 600

// Quote adds words of ours and after them text that a page has written. A long text gets lines of its own.
func (r *Result) Quote(lead, text string) {
	if strings.ContainsAny(text, "\n\r") || len(text) > maxQuote {
		r.Say("%s", lead)
		r.Show(text)
		return
	}
	r.Say("%s %s", lead, Inline(text))
}

// Image adds an image after the text.
func (r *Result) Image(p capture.Image) { r.image = &p }

// Inline returns a page's text for a sentence of ours: on one line, between marks that the text cannot hold itself.
func Inline(said string) string { return "«" + marks().Replace(text.Clean(said)) + "»" }

var marks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("«", "‹", "»", "›", "<page-", "‹page-", "</page-", "‹/page-")
})

// prepend puts a sentence of ours before everything else.
func (r *Result) prepend(text string) {
	r.sections = append([]section{{text: text}}, r.sections...)
}

// render writes the sections. Text of pages stands inside a boundary with a number that no page can know, so that no
// page can pretend that its text has ended.
func (r *Result) render() string {
	var b strings.Builder
	boundary := "page-" + random.Hex(4)
	inside := false

	for _, s := range r.sections {
		if s.fromPage != inside {
			if inside {
				b.WriteString("</" + boundary + ">\n")
			} else {
				b.WriteString("<" + boundary + ">\n")
			}
			inside = s.fromPage
		}
		b.WriteString(strings.TrimRight(s.text, "\n"))
		b.WriteByte('\n')
	}

	if inside {
		b.WriteString("</" + boundary + ">\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// protocolResult returns the result as the protocol wants it.
func (r *Result) protocolResult(failed bool) *mcp.CallToolResult {
	m := &mcp.CallToolResult{IsError: failed}
	if text := r.render(); text != "" {
		m.Content = append(m.Content, &mcp.TextContent{Text: text})
	}
	if r.image != nil {
		m.Content = append(m.Content, &mcp.ImageContent{Data: r.image.Data, MIMEType: r.image.MIME})
	}
	if len(m.Content) == 0 {
		m.Content = []mcp.Content{&mcp.TextContent{Text: "Done."}}
	}
	return m
}

// fail adds an error. A sentence that quotes the page stands between marks.
func (r *Result) fail(err error) {
	var dialog *page.DialogOpen
	if errors.As(err, &dialog) {
		r.sayDialog(&dialog.Dialog)
		r.Say("Error: A dialog is open.")
		return
	}
	if errors.Is(err, context.Canceled) {
		r.Say("Error: The call was cancelled.")
		return
	}

	var f *fault.Error
	if !errors.As(err, &f) && errors.Is(err, context.DeadlineExceeded) {
		r.Say("Error: It has taken too long.")
		r.Say("Take a snapshot to see what is there, then try again.")
		return
	}
	if f == nil {
		r.Quote("Error:", err.Error())
		return
	}

	if f.Quotes {
		r.Quote("Error:", f.Text)
	} else {
		r.Say("Error: %s", f.Text)
	}
	if f.Hint != "" {
		r.Say("%s", f.Hint)
	}
}

func (r *Result) sayDialog(d *page.Dialog) {
	r.Say("# Open dialog")
	r.Quote("It says:", text.Clean(d.String()))
	r.Say("Call handle_dialog to handle it before continuing.")
}
