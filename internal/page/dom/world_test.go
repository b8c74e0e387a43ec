package dom

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// slowFrames returns the frames of a tab whose browser takes a second for every answer, and counts the worlds that it
// was asked for.
func slowFrames(worlds *int) *Frames {
	var conn *cdp.Conn
	conn = cdp.NewConn(func(raw []byte) error {
		var m struct {
			ID     int
			Method string
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		answer := object{"result": object{"type": "undefined"}}
		if m.Method == "Page.createIsolatedWorld" {
			*worlds++
			answer = object{"executionContextId": *worlds}
		}
		time.AfterFunc(time.Second, func() {
			raw, _ := json.Marshal(object{"id": m.ID, "result": answer})
			conn.Receive(raw)
		})
		return nil
	}, nil)
	return New(target.New(conn, "T", "S"), "about:blank", Config{NextDocument: func() int { return *worlds }})
}

// Two who look into a document at once see one document: a second world would make the uids of the first useless.
func TestADocumentHasOneWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worlds := 0
		f := slowFrames(&worlds)
		entered := make(chan World, 2)
		enter := func() {
			w, err := f.EnterMain(t.Context())
			if err != nil {
				t.Error(err)
			}
			entered <- w
		}
		go enter()
		go enter()
		if one, two := <-entered, <-entered; one != two || one.Document == nil || worlds != 1 {
			t.Errorf("%+v and %+v, of %d worlds", one, two, worlds)
		}
	})
}

// One who gives up holds up nobody.
func TestAnAbandonedWorldIsMadeByTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worlds := 0
		f := slowFrames(&worlds)
		impatient, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		gone := make(chan error, 1)
		go func() {
			_, err := f.EnterMain(impatient)
			gone <- err
		}()
		synctest.Wait()
		w, err := f.EnterMain(t.Context())
		if err != nil || w.ID != 2 || w.Document == nil {
			t.Errorf("%+v, %v", w, err)
		}
		if err := <-gone; err == nil {
			t.Error("it was entered after the time was over")
		}
	})
}
