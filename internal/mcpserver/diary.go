package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/page"
)

// diary is what is written down of a call while it runs.
type diary struct {
	begun time.Time
	args  json.RawMessage
	// tab is the page that it is about; told tells that what it typed may be written down.
	tab  *page.Tab
	told bool
}

// began notes the beginning of a step.
func (c *call) began(raw json.RawMessage) {
	c.diary = diary{begun: time.Now(), args: raw}
}

// typedNames are the arguments that may hold a password.
var typedNames = []string{"value", "text", "promptText"}

// Bounds of what is kept of a call's arguments.
const (
	maxArgument  = 2000
	maxArguments = 16 << 10
)

// written are the arguments without what nobody should read later.
func (c *call) written(t tool) json.RawMessage {
	var args any
	if json.Unmarshal(c.diary.args, &args) != nil {
		return nil
	}
	raw, err := json.Marshal(c.clean(t, "", args))
	if err != nil || len(raw) > maxArguments {
		return json.RawMessage(`{"…":"too long to be kept"}`)
	}
	return raw
}

func (c *call) clean(t tool, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			v[k] = c.clean(t, k, one)
		}
	case []any:
		for i, one := range v {
			v[i] = c.clean(t, key, one)
		}
	case string:
		switch {
		case t.Types && !c.diary.told && slices.Contains(typedNames, key) && !isMark(v):
			return hidden
		case key == "extraHttpHeaders":
			return hidden
		case key == "url":
			v = RedactURL(v)
		}
		return clip(c.server.scrub(v), maxArgument)
	}
	return value
}

// page is where a step happened.
func (c *call) where() (*page.Tab, string) {
	t := c.diary.tab
	if t == nil {
		return nil, ""
	}
	return t, clip(c.server.scrub(RedactURL(t.About().URL)), maxArgument)
}

// ended writes a step down. The picture has an entry of its own: it is taken beside what follows, and no call waits for it.
func (c *call) ended(t tool, err error) {
	recorder := c.server.Journal
	if recorder == nil {
		return
	}
	if _, asks := err.(*question); asks { //nolint:errorlint // it is never wrapped
		return // the call comes again
	}
	tab, address := c.where()
	e := journal.Entry{Time: c.diary.begun.UTC(), Agent: c.seat.Agent(), Name: t.Name, Args: c.written(t), Page: address, Outcome: journal.OK, Took: time.Since(c.diary.begun)}
	if err != nil {
		f := fault.From(err)
		e.Outcome, e.Error = journal.Failed, clip(c.server.scrub(f.Text), maxArgument)
		if f.Kind == fault.Denied {
			e.Outcome = journal.Refused
		}
	}
	shows := !t.Reads && tab != nil && e.Outcome != journal.Refused && !c.server.Desk.Book().NoPictures
	recorder.Record(e) // at once: it outlives a keeper that is killed now
	if !shows {
		return
	}
	of, _ := json.Marshal(map[string]any{"of": t.Name, "began": e.Time})
	c.server.write(func() {
		if p := smallPicture(tab); p != nil {
			recorder.Record(journal.Entry{Time: time.Now().UTC(), Agent: e.Agent, Name: pictureName, Args: of, Page: c.server.scrub(RedactURL(tab.About().URL)), Outcome: journal.OK, Picture: p})
		}
	})
}

// pictureName is the name of the entry that holds the picture after a step; its arguments say after which.
const pictureName = "picture"

// write takes pictures for the journal one after another.
func (s *Server) write(entry func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = append(s.writing, entry)
	if len(s.writing) > 1 {
		return
	}
	go func() {
		for {
			s.mu.Lock()
			next := s.writing[0]
			s.mu.Unlock()
			next()
			s.mu.Lock()
			s.writing = s.writing[1:]
			done := len(s.writing) == 0
			if done {
				close(s.idle)
				s.idle = make(chan struct{})
			}
			s.mu.Unlock()
			if done {
				return
			}
		}
	}()
}

// Flush waits until everything is written down, but not for long.
func (s *Server) Flush(ctx context.Context) {
	for {
		s.mu.Lock()
		done, idle := len(s.writing) == 0, s.idle
		s.mu.Unlock()
		if done {
			return
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}

// pictureLimit is how long a picture for the journal may take; pictureWidth is about how wide it is.
const (
	pictureLimit = 2 * time.Second
	pictureWidth = 480
)

// smallPicture is the page as it is now, nil when there is none to have.
func smallPicture(t *page.Tab) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), pictureLimit)
	defer cancel()
	// As the window is and then made smaller here: to have the browser do that would lay the page out anew.
	p, err := t.Screenshot(ctx, page.Shot{Format: "jpeg", Quality: 50})
	if err != nil {
		return nil
	}
	return shrink(p.Data)
}

// shrink makes a picture about pictureWidth wide.
func shrink(data []byte) []byte {
	from, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	ycc, ok := from.(*image.YCbCr)
	size := from.Bounds().Size()
	step := (size.X + pictureWidth - 1) / pictureWidth
	if !ok || step <= 1 {
		return data
	}
	to := image.NewRGBA(image.Rect(0, 0, size.X/step, size.Y/step))
	if to.Bounds().Empty() {
		return nil
	}
	area := step * step
	for y := range to.Bounds().Dy() {
		for x := range to.Bounds().Dx() {
			var r, g, b int
			for dy := range step {
				for dx := range step {
					at := ycc.YCbCrAt(x*step+dx, y*step+dy)
					pr, pg, pb := color.YCbCrToRGB(at.Y, at.Cb, at.Cr)
					r, g, b = r+int(pr), g+int(pg), b+int(pb)
				}
			}
			to.SetRGBA(x, y, color.RGBA{uint8(r / area), uint8(g / area), uint8(b / area), 255}) //nolint:gosec // means of bytes
		}
	}
	var out bytes.Buffer
	if jpeg.Encode(&out, to, &jpeg.Options{Quality: 60}) != nil {
		return nil
	}
	return out.Bytes()
}

// isMark: only the name of a secret stands there.
func isMark(text string) bool {
	return strings.HasPrefix(text, "{{secret:") && strings.HasSuffix(text, "}}") && strings.Count(text, "{{") == 1
}
