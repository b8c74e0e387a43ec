// Package pagetool describes calls of the tools that pages offer, for those who decide about them.
package pagetool

import (
	"encoding/json"

	"cove/internal/fault"
	"cove/internal/mcpserver/record"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/webmcp"
	"cove/internal/wording"
)

// Call is a call of a tool that a page offers, before it is made.
type Call struct {
	Tab   *page.Tab
	Tool  webmcp.Tool
	Input json.RawMessage
}

// DocumentOrigin is the origin of the tool's document, as the browser knows it.
func (p Call) DocumentOrigin() string {
	f := p.Tab.Frames.Frame(p.Tool.Frame)
	if f.Origin != "" {
		return f.Origin
	}
	return f.URL
}

// What describes the call for the person who is asked. The page's words stand between quotation marks, as its claim.
func (p Call) What(r *redaction.Redactor) string {
	claims := "it says: " + wording.Quoted(r.Words(p.Tool.Description, 200))
	if p.Tool.Hints.ReadOnly {
		claims += "; it calls itself read-only"
	}
	if p.Tool.Hints.Consequential {
		claims += "; it calls itself consequential"
	}
	return p.named(r) + " (" + claims + "), with " + inputText(r, p.Input)
}

// WhatForAgent describes the call for the agent: without the page's words.
func (p Call) WhatForAgent(r *redaction.Redactor) string {
	return p.named(r) + ", with " + inputText(r, p.Input)
}

func (p Call) named(r *redaction.Redactor) string {
	kind := "a tool"
	if p.Tool.IsForm() {
		kind = "a form"
	}
	return "call " + wording.Quoted(p.Tool.Name) + ", " + kind + " of " + p.Origin(r)
}

// maxInputText is how many characters of a tool's input a person reads before it is called.
const maxInputText = 400

// inputText returns the input of a page's tool for people.
func inputText(r *redaction.Redactor, raw json.RawMessage) string {
	return wording.Shorten(string(record.CleanInput(raw, r)), maxInputText)
}

// Version tells the definitions and the documents of a tool apart.
func Version(t webmcp.Tool) string {
	raw, _ := json.Marshal([]any{t.Frame, t.Document, t.Hash})
	return string(raw)
}

// Check returns an error if the page no longer offers the tool as it was.
func (p Call) Check(origin string) error {
	now, there := p.Tab.Tools.Find(p.Tool.Frame, p.Tool.Name)
	if there && now.Same(p.Tool) && p.DocumentOrigin() == origin {
		return nil
	}
	return fault.New(fault.CodeToolChanged,
		"The page has changed this tool while the person was asked. Nothing was done.",
		"list_page_tools shows what the page offers now.")
}

// Origin returns the origin of the tool's document for people: without secrets, and short.
func (p Call) Origin(r *redaction.Redactor) string {
	return wording.Shorten(r.URL(p.DocumentOrigin()), 200)
}

// Bound is what an approval for a whole session holds for.
func (p Call) Bound() string { return p.DocumentOrigin() + " " + p.Tool.Hash }
