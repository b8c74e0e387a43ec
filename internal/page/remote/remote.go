// Package remote reads values of a page as the protocol sends them: objects, exceptions, call stacks.
package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"cove/internal/wording"
)

// MaxText bounds how many characters of one text are read. Pages log megabytes.
const MaxText = 8 << 10

// Object is a value of the page.
type Object struct {
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	Value       json.RawMessage `json:"value"`
	Unwritable  string          `json:"unserializableValue"`
	Description string          `json:"description"`
	ObjectID    string          `json:"objectId"`
	Preview     *Preview        `json:"preview"`
}

// Text returns the value as a console shows it. With brief it names an array without its elements.
func (o Object) Text(brief bool) string {
	switch {
	case o.Type == "string":
		return textOf(o.Value)
	case o.Unwritable != "":
		return o.Unwritable
	case o.Type == "undefined":
		return o.Type
	case len(o.Value) > 0 && o.ObjectID == "":
		return wording.Excerpt(string(o.Value), MaxText)
	case o.Subtype == "error":
		text, _, _ := strings.Cut(o.Description, "\n    at ")
		return wording.Excerpt(text, MaxText)
	case o.Subtype == "node" || o.Subtype == "date" || o.Subtype == "regexp" || o.Type == "function" ||
		o.Preview == nil:
		return wording.Excerpt(o.Description, 500)
	case brief && o.Subtype == "array":
		return wording.Excerpt(o.Description, 500)
	}
	return wording.Excerpt(o.Preview.text(), MaxText)
}

// textOf reads a JSON string. Of a long one it reads only the beginning.
func textOf(raw json.RawMessage) string {
	var s string
	if most := 6 * MaxText; len(raw) > most { // an escape takes six bytes
		cut := most
		for back := cut - 12; cut > back && bytes.IndexByte(raw[cut-6:cut], '\\') >= 0; {
			cut--
		}
		if json.Unmarshal(append(bytes.Clone(raw[:cut]), '"'), &s) == nil {
			shown := strings.TrimSuffix(wording.Shorten(s, MaxText+1), "…")
			return fmt.Sprintf("%s…(+about %d characters)", shown, len(raw)-cut)
		}
	}

	_ = json.Unmarshal(raw, &s)
	return wording.Excerpt(s, MaxText)
}

// Exception is what a script has thrown.
type Exception struct {
	Text   string  `json:"text"`
	Column int     `json:"columnNumber"`
	URL    string  `json:"url"`
	Value  *Object `json:"exception"`
	Stack  *Stack  `json:"stackTrace"`
}

// Thrown returns the first line of what was thrown.
func (e Exception) Thrown() string {
	if e.Value == nil {
		return e.Text
	}

	text := e.Value.Description
	if text == "" {
		text = strings.Trim(string(e.Value.Value), `"`)
	}
	text, _, _ = strings.Cut(text, "\n    at ")
	return text
}

// Stack says where in the page's scripts something happened.
type Stack struct {
	Description string `json:"description"`
	Frames      []struct {
		Function string `json:"functionName"`
		URL      string `json:"url"`
		Lineno   int    `json:"lineNumber"`
		Column   int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *Stack `json:"parent"`
}

// Rows returns one row of text for each call, the innermost first.
func (s *Stack) Rows() (rows []string) {
	for ; s != nil && len(rows) < 50; s = s.Parent {
		if s.Description != "" && len(rows) > 0 {
			rows = append(rows, "--- "+s.Description+" ---")
		}
		for _, f := range s.Frames {
			name := f.URL
			if at := strings.LastIndexByte(name, '/'); at >= 0 && at < len(name)-1 {
				name = name[at+1:]
			}
			rows = append(rows, fmt.Sprintf("at %s (%s:%d:%d)",
				wording.Excerpt(f.Function, 200), wording.Excerpt(name, 200), f.Lineno+1, f.Column+1))
		}
	}
	return rows
}

// Result is the answer to a command that runs a script.
type Result struct {
	Value     Object     `json:"result"`
	Exception *Exception `json:"exceptionDetails"`
}

// Get returns the script's value, or what it threw as a *ScriptError.
func (r Result) Get() (Object, error) {
	if r.Exception != nil {
		return Object{}, &ScriptError{r.Exception.Thrown()}
	}
	return r.Value, nil
}

// ScriptError is the error of a script that has thrown.
type ScriptError struct{ Text string }

// Error returns what the page said.
func (e *ScriptError) Error() string { return e.Text }
