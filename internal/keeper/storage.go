package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/keeper/undo"
	"cove/internal/session"
)

// storageRoutes lets the app read and write the cookies and the local storage of the browser.
func (k *keeper) storageRoutes(routes *http.ServeMux) {
	routes.HandleFunc("POST /v1/storage/read", handleJSONUpTo(maxBody, k.readStorage))
	routes.HandleFunc("POST /v1/storage/write", k.beforeTheEnd(handleJSONUpTo(maxStorage, k.writeStorage)))
	routes.HandleFunc("POST /v1/storage/copy", k.beforeTheEnd(handleJSONUpTo(maxBody, k.copyStorage)))
	routes.HandleFunc("POST /v1/storage/transfer", k.beforeTheEnd(handleJSONUpTo(maxStorage, k.transferStorage)))
}

// beforeTheEnd lets a call finish, its answer included, although the browser has closed.
func (k *keeper) beforeTheEnd(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		k.unfinished.RLock()
		defer k.unfinished.RUnlock()
		next(w, r)
		_ = http.NewResponseController(w).Flush()
	}
}

// maxStorage bounds what is written at once. The API takes 16 MiB, which can be longer in the keeper's own form.
const maxStorage = 128 << 20

// storageLimit bounds a call. A caller that goes away does not end it: a change is made whole.
const storageLimit = 4 * time.Minute

func (k *keeper) readStorage(ctx context.Context, q cookie.Query) (any, error) {
	ctx, cancel, err := k.beginStorage(ctx, storageLimit)
	if err != nil {
		return nil, err
	}
	defer cancel()
	var data cookie.Data
	if data.Cookies, data.Opaque, err = k.jar().Cookies(ctx); err != nil {
		return nil, fmt.Errorf("read the cookies: %w", err)
	}
	if q.Local {
		data.Origins, err = jar.Storage(ctx, k.mux, k.origins())
	}
	if !q.Cookies {
		data.Cookies = nil
	}
	if !q.Silent {
		k.recordStorage("exported", data, err)
	}
	return data, err
}

func (k *keeper) writeStorage(ctx context.Context, data cookie.Data) (any, error) {
	ctx, cancel, err := k.beginStorage(ctx, storageLimit)
	if err != nil {
		return nil, err
	}
	defer cancel()
	err = k.write(ctx, data)
	k.recordStorage("imported", data, err)
	return struct{}{}, err
}

// write writes all of data, or nothing.
func (k *keeper) write(ctx context.Context, data cookie.Data) error {
	if k.maintains() {
		return k.writeClosed(ctx, func() ([]string, error) { return k.change(ctx, data) })
	}
	before, _, err := k.jar().Cookies(ctx)
	if err != nil {
		return fmt.Errorf("read the cookies: %w", err)
	}
	if err := k.jar().SetCookies(ctx, data.Cookies); err != nil {
		return err
	}
	if err := jar.SetStorage(ctx, k.mux, data.Origins); err != nil {
		return k.jar().Undo(ctx, before, data.Cookies, err)
	}
	return nil
}

// writeClosed writes into a closed profile, whose hidden browser it closes. What fails, or is killed before it is on
// the disk, is taken back: by this keeper, or by the next one.
func (k *keeper) writeClosed(ctx context.Context, change func() (databases []string, err error)) error {
	dataDir := k.spec.Options.DataDir
	if err := undo.Arm(dataDir); err != nil {
		return fault.Disk(fmt.Errorf("prepare to undo: %w", err))
	}
	defer k.clearStages()
	databases, err := change()
	return k.closeAnd(ctx, err, func() error {
		if len(databases) == 0 {
			return nil
		}
		return k.merge(ctx, databases)
	})
}

// closeAnd closes the hidden browser, and does the rest of a change when its data is on the disk. A change that fails
// is taken back.
func (k *keeper) closeAnd(ctx context.Context, err error, rest func() error) error {
	dataDir := k.spec.Options.DataDir
	k.stop()
	if !k.gone(ctx) {
		return cmp.Or(err, ctx.Err()) // finish takes it back
	}
	if err == nil && k.exitCode != 0 {
		err = errNotSaved().Because(fmt.Errorf("the browser ended with code %d", k.exitCode))
	}
	if err == nil {
		err = rest()
	}
	if err != nil {
		return errors.Join(err, undo.PutBack(dataDir))
	}
	return undo.Commit(dataDir)
}

// change sets data in the hidden browser. It leaves cookies to databases for which the browser has no room.
func (k *keeper) change(ctx context.Context, data cookie.Data) (databases []string, err error) {
	have, _, err := k.jar().Cookies(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the cookies: %w", err)
	}
	if needsStages(have, data.Cookies) {
		databases, _, err = k.stageCookies(ctx, data.Cookies, setAll)
	} else {
		err = k.jar().SetCookies(ctx, data.Cookies)
	}
	if err != nil {
		return nil, err
	}
	return databases, jar.SetStorage(ctx, k.mux, data.Origins)
}

func errNotSaved() *fault.Error {
	return fault.New(fault.CodeTimeout, "The browser did not save the data.", "Nothing was imported. Try again.")
}

func (k *keeper) jar() jar.Jar { return jar.Jar{Browser: k.mux, Exclusive: k.maintains()} }

// origins returns the origins that may have local storage: those on the disk, and those of the open pages, which may
// not be there yet.
func (k *keeper) origins() []string {
	origins := jar.StoredOrigins(filepath.Join(k.spec.Options.DataDir, "Default"))
	for _, t := range k.mux.Targets() {
		if o := jar.WebOrigin(t.URL); o != "" && !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	return origins
}

// beginStorage makes sure that the browser is ready, and gives a call its own limit.
func (k *keeper) beginStorage(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc, error) {
	if k.server.get().State != session.Open || k.mux == nil {
		return nil, nil, fault.New(fault.CodeNotOpen, "The profile is not open.", "Try again in a moment.")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	return ctx, cancel, nil
}

// maxDomains is how many domains the journal names.
const maxDomains = 100

// recordStorage writes into the journal how much was read or written, and of which sites. It never has a value.
func (k *keeper) recordStorage(what string, data cookie.Data, failed error) {
	if data.Cookies != nil || data.Origins == nil {
		domains := cookie.Domains(data.Cookies)
		k.recordEvent("cookies "+what, storageEvent(len(data.Cookies), domains), failed)
	}
	if len(data.Origins) > 0 || data.Cookies == nil {
		entries, origins := 0, make([]string, 0, len(data.Origins))
		for _, o := range data.Origins {
			entries, origins = entries+len(o.Items), append(origins, o.Origin)
		}
		k.recordEvent("local storage "+what, storageEvent(entries, origins), failed)
	}
}

func storageEvent(count int, sites []string) map[string]any {
	args := map[string]any{"count": count, "sites": sites[:min(len(sites), maxDomains)]}
	if more := len(sites) - maxDomains; more > 0 {
		args["more"] = more
	}
	return args
}
