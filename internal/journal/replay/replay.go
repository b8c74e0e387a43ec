// Package replay writes a journal as one HTML file that anyone can open offline. The file shows the steps as a film,
// needs no network, and verifies itself: it has the rows as they were written, with their chain of hashes. The package
// also checks such a file, seals included.
package replay

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"cove/internal/journal"
	"cove/internal/step"
)

// Options says what a file is made of.
type Options struct {
	// Profile is the number of the profile, Name what its owner calls it, Version the program's.
	Profile int
	Name    string
	Version string
	Made    time.Time
	// Session is the session whose steps are in the file; "" for all.
	Session string
	// Pictures says that the screenshots are in the file.
	Pictures bool
	// Private reports whether a row holds something that may not leave this computer. Such a row is left out. It may be
	// nil.
	Private func(row []byte) bool
}

// maxPictures bounds the size of all screenshots in a file, before they are encoded.
const maxPictures = 96 << 20

//go:embed viewer.js
var viewerJS string

//go:embed viewer.css
var viewerCSS string

//go:embed app.html
var appHTML string

// data is what the file shows. It stands in the file as one line of JSON.
type data struct {
	Format  int       `json:"format"`
	Profile int       `json:"profile"`
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Made    time.Time `json:"made"`
	Session string    `json:"session,omitempty"`
	// Rows are texts, each a row as it was written, and objects, each a run of rows that are left out.
	Rows []any `json:"rows"`
	// Words are the words for rows that have none, by their numbers.
	Words map[int64]words `json:"words"`
	// Omitted are the screenshots that the rows name and the file does not have.
	Omitted []string `json:"leftOut"`
}

// words is what a row of an older version does not say itself.
type words struct {
	step.Words
	Session string `json:"session,omitempty"`
}

// omitted is a run of rows that are left out. With the hash of its last row the chain stays closed.
type omitted struct {
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	Hash    string `json:"hash"`
	Private bool   `json:"private,omitempty"`
}

const format = 1

// Write writes the file.
func Write(w io.Writer, l journal.Location, o Options) error {
	d, pictures, err := collect(l, o)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}

	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(w, sum))
	policy := contentPolicy()
	_, _ = fmt.Fprintf(out, head, policy, viewerCSS, appHTML, raw)
	for _, name := range pictures {
		image, err := journal.Screenshot(l, name)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, picture, name, base64.StdEncoding.EncodeToString(image))
	}
	_, _ = fmt.Fprintf(out, tail, digest(policy, viewerCSS, appHTML, string(raw)), viewerJS)
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s%s", sumMark, hex.EncodeToString(sum.Sum(nil)), sumEnd)
	return err
}

// The parts of the file. No part may need escaping: the viewer compares what the browser has read with what was
// written.
const (
	head = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%s">` +
		`<meta name="viewport" content="width=device-width"><title>Cove journal</title>` +
		`<style id="style">%s</style></head>
<body><main id="app">%s</main>
` + dataMark + `%s` + scriptEnd
	dataMark  = `<script type="application/json" id="data">`
	picture   = pictureMark + `%s">%s` + scriptEnd
	tail      = `<script id="viewer" data-digest="%s">%s` + scriptEnd + "</body></html>\n"
	scriptEnd = "</script>\n"
	sumMark   = "<!-- SHA-256 of everything above: "
	sumEnd    = " -->\n"

	pictureMark = `<script type="text/plain" class="picture" id="`
)

// contentPolicy allows the file its own script and style, and the screenshots inside it. Nothing else can load.
func contentPolicy() string {
	return "default-src 'none'; script-src " + sourceHash(viewerJS) + "; style-src " + sourceHash(viewerCSS) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// digest covers everything that the viewer relies on and that no row's hash covers.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:])
}

// collect reads the journal. It returns what the file shows and the names of its screenshots.
func collect(l journal.Location, o Options) (data, []string, error) {
	c := &collector{location: l, options: o, seen: map[string]bool{}}
	c.data = data{
		Format: format, Profile: o.Profile, Name: o.Name, Version: o.Version, Made: o.Made.UTC(), Session: o.Session,
		Rows: []any{}, Words: map[int64]words{}, Omitted: []string{},
	}
	err := journal.Each(l, c.add)
	c.endRun()
	return c.data, c.pictures, err
}

// collector reads the rows of a journal into what a file shows.
type collector struct {
	location journal.Location
	options  Options
	data     data
	run      *omitted // the rows that are left out just now
	pictures []string
	seen     map[string]bool
	size     int64
}

// add adds one row.
func (c *collector) add(text []byte, r journal.Row) error {
	private := c.options.Private != nil && c.options.Private(text)
	if private || (c.options.Session != "" && r.SessionName() != c.options.Session) {
		c.omit(text, r, private)
		return nil
	}

	c.endRun()
	c.data.Rows = append(c.data.Rows, string(text))
	if r.Text == "" || r.Kind == "" {
		c.data.Words[r.Seq] = words{r.Words(), r.SessionName()}
	}
	for _, name := range []string{r.Before, r.Screenshot} {
		if err := c.addPicture(name); err != nil {
			return err
		}
	}
	return nil
}

// omit leaves a row out. Its hash stays, if it has one.
func (c *collector) omit(text []byte, r journal.Row, private bool) {
	if c.run != nil && (c.run.To+1 != r.Seq || c.run.Private != private) {
		c.endRun()
	}
	if c.run == nil {
		c.run = &omitted{From: r.Seq, Private: private}
	}
	c.run.To, c.run.Hash = r.Seq, ""
	if recorded, ok := journal.Parse(text); ok {
		c.run.Hash = recorded.Hash
	}
}

func (c *collector) endRun() {
	if c.run != nil {
		c.data.Rows = append(c.data.Rows, *c.run)
		c.run = nil
	}
}

// addPicture adds a screenshot, unless the file has it or has no room for it.
func (c *collector) addPicture(name string) error {
	if name == "" || c.seen[name] {
		return nil
	}
	c.seen[name] = true
	size, err := journal.ScreenshotSize(c.location, name)
	if err != nil { // it is gone: the viewer says so
		return nil //nolint:nilerr // a journal without one of its screenshots can be shown
	}
	if !c.options.Pictures || c.size+size > maxPictures {
		c.data.Omitted = append(c.data.Omitted, name)
		return nil
	}
	c.size += size
	c.pictures = append(c.pictures, name)
	return nil
}
