package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/capture"
	"cove/internal/snapshot/text"
	"cove/internal/wording"
)

// Result is what an agent reads of a call. Its order is the one that agents know: sentences of ours, what the call has
// caused, pages, snapshot, error. Text that a page has written never stands among ours without a mark around it.
type Result struct {
	parts   []answer.Part
	image   *capture.Image
	waiting string
	failed  int // how many parts there were before the error
	// unmet is why the step has not done what the agent wanted, though it is no error. MCP clients read it in the text.
	unmet *fault.Error
}

// Say adds a sentence of ours.
func (r *Result) Say(format string, args ...any) { r.add(answer.Said, format, args...) }

// Done adds a sentence that says that the step was done, and nothing that the agent does not know by that.
func (r *Result) Done(format string, args ...any) { r.add(answer.Done, format, args...) }

// Head adds a heading: it names what follows, and an answer is understood without it.
func (r *Result) Head(format string, args ...any) { r.add(answer.Heading, format, args...) }

// BeginStep adds the heading of a step of several.
func (r *Result) BeginStep(format string, args ...any) { r.add(answer.Step, format, args...) }

func (r *Result) add(kind answer.Kind, format string, args ...any) {
	r.parts = append(r.parts, answer.Part{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// SaySaved adds a sentence about a file that was written; its name follows the words.
func (r *Result) SaySaved(words, file string) {
	r.parts = append(r.parts, answer.Part{Kind: answer.Saved, Text: words + " " + file + ".", File: file})
}

// SayWaiting adds a sentence about a request that nobody has answered yet.
func (r *Result) SayWaiting(request, format string, args ...any) {
	r.waiting = request
	r.Head(format, args...)
}

// SayUnmet adds a sentence about a step that has ended without what the agent wanted: an answer of the person, another
// page. In a shell that is an error: `cove page ask … && …` must not go on.
func (r *Result) SayUnmet(code fault.Code, hint, format string, args ...any) {
	r.unmet = fault.New(code, fmt.Sprintf(format, args...), hint)
	r.Head("%s", r.unmet.Text)
}

// sayStopped adds why a download that the step has begun was stopped. In a shell that is an error: whoever goes on
// without the file must not take the step for done.
func (r *Result) sayStopped(f *fault.Error) {
	r.Head("%s %s", f.Text, f.Hint)
	stopped := *f
	stopped.Text = "The step was done, but its download was not. " + strings.TrimSuffix(f.Text, " Nothing was done.")
	r.unmet = &stopped
}

// sayEffect adds a sentence about what the step has caused.
func (r *Result) sayEffect(e answer.Effect, format string, args ...any) {
	r.add(answer.Caused, format, args...)
	r.parts[len(r.parts)-1].Effect = &e
}

// Show adds text that a page has written.
func (r *Result) Show(text string) { r.show(answer.Page, text) }

func (r *Result) show(kind answer.Kind, text string) {
	r.parts = append(r.parts, answer.Part{Kind: kind, Text: text})
}

// ShowSnapshot adds a snapshot of a page.
func (r *Result) ShowSnapshot(number int, text string) {
	r.show(answer.Snapshot, text)
	r.parts[len(r.parts)-1].Number = number
}

// ShowValue adds JSON that a page has given.
func (r *Result) ShowValue(json string) { r.show(answer.Value, "```json\n"+json+"\n```") }

// ShowPages adds the list of open pages.
func (r *Result) ShowPages(tabs []answer.Tab) {
	var b strings.Builder
	for _, t := range tabs {
		fmt.Fprintf(&b, "%d: ", t.ID)
		if t.Title == "" {
			b.WriteString(t.URL)
		} else {
			b.WriteString(t.Title + " (" + t.URL + ")")
		}
		for _, mark := range t.Marks {
			b.WriteString(" [" + mark + "]")
		}
		if t.Context != "" {
			b.WriteString(" isolatedContext=" + t.Context)
		}
		b.WriteByte('\n')
	}
	r.show(answer.Pages, b.String())
	r.parts[len(r.parts)-1].Tabs = tabs
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
	r.parts = append([]answer.Part{{Kind: answer.Said, Text: text}}, r.parts...)
}

// render returns the result as MCP clients read it.
func (r *Result) render() string { return answer.Render(r.parts) }

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

// faultOf returns an error as a fault, with a code and a kind.
func faultOf(err error) *fault.Error {
	var f *fault.Error
	var dialog *page.DialogOpen
	switch {
	case errors.As(err, &dialog):
		return fault.New(fault.CodeDialogOpen, "A dialog is open.", "")
	case errors.Is(err, context.Canceled):
		return fault.New(fault.CodeCancelled, "The call was cancelled.", "")
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.CodeTimeout, "It has taken too long.",
			"Take a snapshot to see what is there, then try again.")
	}
	return fault.Quote(fault.CodeInternal, err.Error(), "")
}

// fail adds an error. A sentence that quotes the page stands between marks.
func (r *Result) fail(err error) {
	var dialog *page.DialogOpen
	if errors.As(err, &dialog) {
		r.sayDialog(&dialog.Dialog)
	}

	r.failed = len(r.parts)
	f := faultOf(err)
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
	r.Head("# Open dialog")
	said := text.Clean(d.String())
	effect := answer.Effect{Kind: answer.Dialog, Text: wording.Shorten(said, maxQuote)}
	if len(said) > maxQuote {
		r.sayEffect(effect, "It says:")
		r.Show(said)
	} else {
		r.sayEffect(effect, "It says: %s", Inline(said))
	}
	r.Head("Call handle_dialog to handle it before continuing.")
}
