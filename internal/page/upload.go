package page

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// chooser is a file dialog that is caught instead of shown. The tab's mu guards it.
type chooser struct {
	backend  int
	multiple bool
	session  string
	open     bool
}

func (c *chooser) opened() bool { return c != nil && c.open }

func (t *Tab) chooserOpened(e cdp.Event) {
	p, ok := decode[struct {
		Mode    string `json:"mode"`
		Backend int    `json:"backendNodeId"`
	}](e)
	if !ok {
		return
	}
	t.mu.Lock()
	if t.chooser != nil {
		*t.chooser = chooser{p.Backend, p.Mode == "selectMultiple", e.Session, true}
	}
	t.mu.Unlock()
	t.changed.broadcast()
}

// armChooser catches file dialogs while an agent acts: a real one would wait for a person. Input overtakes other commands on its
// way to the page: before it is sent, something sent after this must have been answered.
func (t *Tab) armChooser(sessions ...string) (disarm func()) {
	t.mu.Lock()
	t.chooser = &chooser{}
	t.mu.Unlock()
	sessions = slices.Compact(append(sessions, t.session))
	catch := func(on bool) {
		for _, s := range sessions {
			t.forget(t.b.conn.Start(s, "Page.setInterceptFileChooserDialog", object{"enabled": on}))
		}
	}
	catch(true)
	return func() {
		t.mu.Lock()
		t.chooser = nil
		t.mu.Unlock()
		catch(false)
	}
}

// chooserLimit is how long a page may take to ask for a file after its button was clicked.
const chooserLimit = 3 * time.Second

// Upload puts files into a file input, or into the one that a click on the element asks for.
func (t *Tab) Upload(ctx context.Context, uid string, files []string) (Effects, error) {
	if err := t.refuseDialog(); err != nil {
		return Effects{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.find(ctx, uid)
	if err != nil {
		return Effects{}, err
	}
	var input struct {
		ID       int
		Multiple bool
		Disabled bool
	}
	if err := t.run(ctx, e.place, &input, "function(id){act.watch();return act.files(id)}", e.id); err != nil {
		return Effects{}, err
	}
	if input.ID == 0 {
		return t.uploadByClick(ctx, e, files)
	}
	e.id = input.ID
	if input.Disabled {
		return Effects{}, aimed{Disabled: true}.err(e)
	}
	if err := checkCount(input.Multiple, files); err != nil {
		return Effects{}, err
	}
	handle, err := t.object(ctx, e)
	if err != nil {
		return Effects{}, err
	}
	return t.after(ctx, e, func() error {
		return t.call(ctx, e.session, "DOM.setFileInputFiles", object{"files": files, "objectId": handle}, nil)
	})
}

func checkCount(multiple bool, files []string) error {
	if len(files) > 1 && !multiple {
		return fault.Invalidf("The page takes one file here, and %d were given.", len(files))
	}
	return nil
}

// uploadByClick clicks what opens a file dialog and answers it.
func (t *Tab) uploadByClick(ctx context.Context, e element, files []string) (Effects, error) {
	t.focus()
	disarm := t.armChooser(e.session)
	defer disarm()
	at, err := t.aim(ctx, &e)
	if err != nil {
		return Effects{}, err
	}
	t.reach(ctx, e, at)
	before := t.mark()
	t.await(ctx, []*cdp.Pending{t.mouse("mouseMoved", at, "none", 0), t.mouse("mousePressed", at, "left", 1), t.mouse("mouseReleased", at, "left", 1)})
	if !t.until(ctx, chooserLimit, t.interrupted) || t.Dialog() != nil {
		effects, _ := t.settle(ctx, before, e.place)
		return effects, fault.Quote(fault.CodeNoChooser, fmt.Sprintf("A click on %s did not ask for a file.", e), "Give the uid of the file input itself.")
	}
	t.mu.Lock()
	asked := *t.chooser
	t.chooser.open = false
	t.mu.Unlock()
	if asked.backend == 0 {
		return Effects{}, fault.Quote(fault.CodePicker, fmt.Sprintf("%s asks for a file by showOpenFilePicker, which only a person can answer.", capital(e.String())), "Look for a file input or a place to drop files on, or let the person choose.")
	}
	if err := checkCount(asked.multiple, files); err != nil {
		return Effects{}, err
	}
	return t.after(ctx, e, func() error {
		return t.call(ctx, asked.session, "DOM.setFileInputFiles", object{"files": files, "backendNodeId": asked.backend}, nil)
	})
}
