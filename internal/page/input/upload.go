package input

import (
	"context"
	"fmt"
	"time"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/page/dom"
)

// chooserLimit is how long a page may take to ask for a file after its button was clicked.
const chooserLimit = 3 * time.Second

// Upload puts files into a file input. If the element is not one, Upload clicks it and answers the file chooser that
// the page opens.
func (in *Input) Upload(ctx context.Context, uid string, files []string) (page.Effects, error) {
	ctx, cancel, err := in.target.Begin(ctx)
	if err != nil {
		return page.Effects{}, err
	}
	defer cancel()
	e, err := in.frames.Find(ctx, uid)
	if err != nil {
		return page.Effects{}, err
	}
	var field struct {
		ID       int
		Multiple bool
		Disabled bool
	}
	if err := in.frames.Run(ctx, e.World, &field, "function(id){act.watch();return act.files(id)}", e.ID); err != nil {
		return page.Effects{}, err
	}
	if field.ID == 0 {
		return in.uploadByClick(ctx, e, files)
	}

	e.ID = field.ID
	if field.Disabled {
		return page.Effects{}, errDisabled(e)
	}
	if err := checkCount(field.Multiple, files); err != nil {
		return page.Effects{}, err
	}
	handle, err := in.frames.Object(ctx, e)
	if err != nil {
		return page.Effects{}, err
	}
	return in.set(ctx, e, func() error {
		params := object{"files": files, "objectId": handle}
		return in.target.Call(ctx, e.Session, "DOM.setFileInputFiles", params, nil)
	})
}

func checkCount(multiple bool, files []string) error {
	if len(files) > 1 && !multiple {
		return fault.Invalidf("The page takes one file here, and %d were given.", len(files))
	}
	return nil
}

// uploadByClick clicks an element that opens a file chooser, and answers the chooser.
func (in *Input) uploadByClick(ctx context.Context, e dom.Element, files []string) (page.Effects, error) {
	in.emulateFocus()
	stop := in.target.InterceptChooser(e.Session)
	defer stop()
	at, err := in.aim(ctx, &e)
	if err != nil {
		return page.Effects{}, err
	}
	release := in.tab.Camera.BlockScreenshots(ctx)
	in.awaitMouse(ctx, e, at)
	before := in.tab.Mark()
	in.target.AwaitInput(ctx, in.click(at))
	release()
	if !in.target.Until(ctx, chooserLimit, in.target.Interrupted) || in.tab.Dialog() != nil {
		effects, _ := in.tab.Settle(ctx, before, dom.Element{World: e.World})
		return effects, fault.Quote(fault.CodeNoChooser,
			fmt.Sprintf("A click on %s did not ask for a file.", e), "Give the uid of the file input itself.")
	}

	chooser := in.target.AcceptChooser()
	if chooser.Backend == 0 {
		return page.Effects{}, fault.Quote(fault.CodePicker,
			e.Subject()+" asks for a file by showOpenFilePicker, which only a person can answer.",
			"Look for a file input or a place to drop files on, or let the user choose.")
	}
	if err := checkCount(chooser.Multiple, files); err != nil {
		return page.Effects{}, err
	}
	return in.set(ctx, e, func() error {
		params := object{"files": files, "backendNodeId": chooser.Backend}
		return in.target.Call(ctx, chooser.Session, "DOM.setFileInputFiles", params, nil)
	})
}
