package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/paths"
)

// FindProfile returns the browser context of the profile whose folder is dir. While a window of another profile is in
// front, it calls other once and waits. Nobody else may use the connection in the meantime.
func FindProfile(ctx context.Context, conn *Conn, dir string, other func()) (browserContext string, err error) {
	a := &alone{conn: conn}
	err = AwaitFront(ctx, dir, func(ctx context.Context) (err error) {
		browserContext, err = a.frontProfile(ctx, dir)
		return err
	}, other)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == fault.CodeImportOtherProfile {
		err = fault.New(fault.CodeAdoptOtherProfile, f.Text, f.Hint).Because(err)
	}
	return browserContext, Lost(err)
}

// alone sends commands on a connection that has no other user yet.
type alone struct {
	conn *Conn
	last int32
}

// call sends a command and reads until its answer has come. The connection ends with ctx.
func (a *alone) call(ctx context.Context, session, method string, params, result any) error {
	defer context.AfterFunc(ctx, a.conn.Close)()
	a.last--
	raw, err := json.Marshal(struct {
		ID      int32  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{a.last, method, params, session})
	if err != nil {
		return err
	}
	if err := a.conn.Write(append(raw, 0)); err != nil {
		return fmt.Errorf("%w: %w", cdp.ErrClosed, err)
	}
	for {
		raw, err := a.conn.Read()
		if err != nil {
			return fmt.Errorf("%w: %w", cdp.ErrClosed, err)
		}
		var got struct {
			ID     int32           `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *cdp.Error      `json:"error"`
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			return err
		}
		switch {
		case got.ID != a.last:
		case got.Error != nil:
			return got.Error
		case result == nil:
			return nil
		default:
			return json.Unmarshal(got.Result, result)
		}
	}
}

// frontProfile returns the browser context of the profile whose window is in front, if its folder is dir. It asks a
// hidden tab.
func (a *alone) frontProfile(ctx context.Context, dir string) (string, error) {
	var contexts struct {
		Default string `json:"defaultBrowserContextId"`
	}
	if err := a.call(ctx, "", "Target.getBrowserContexts", nil, &contexts); err != nil {
		return "", err
	}
	var made, at struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	hidden := map[string]any{"url": "about:blank", "hidden": true, "browserContextId": contexts.Default}
	err := a.call(ctx, "", "Target.createTarget", hidden, &made)
	if refused := new(cdp.Error); errors.As(err, &refused) {
		return "", ErrOther // the focus moved in between
	}
	if err != nil {
		return "", err
	}
	err = a.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &at)
	if err != nil {
		return "", err
	}
	path, err := jar.ProfilePath(ctx, at.SessionID, a.call)
	closed := a.call(ctx, "", "Target.closeTarget", map[string]any{"targetId": made.TargetID}, nil)
	if err = errors.Join(err, closed); err == nil && !paths.Same(path, dir) {
		err = ErrOther
	}
	return contexts.Default, err
}
