package keeper

import (
	"context"
	"net/http"

	"cove/internal/cookie"
	"cove/internal/profile"
)

// maxStorage bounds what is written at once. The API takes 16 MiB, which can be longer in the keeper's own form.
const maxStorage = 128 << 20

// storageRoutes are the calls by which the app reads and writes the cookies and the local storage of the browser.
func (k *keeper) storageRoutes(routes *http.ServeMux) {
	s := k.storage
	routes.HandleFunc("POST /v1/storage/read", handleJSON(func(ctx context.Context, q cookie.Query) (any, error) {
		return s.Read(ctx, q)
	}))
	routes.HandleFunc("POST /v1/storage/write", k.beforeTheEnd(handleJSONUpTo(maxStorage,
		func(ctx context.Context, data cookie.Data) (any, error) { return struct{}{}, s.Write(ctx, data) })))
	routes.HandleFunc("POST /v1/storage/copy", k.beforeTheEnd(handleJSON(
		func(ctx context.Context, from profile.External) (any, error) { return s.Copy(ctx, from) })))
	routes.HandleFunc("POST /v1/storage/transfer", k.beforeTheEnd(handleJSONUpTo(maxStorage,
		func(ctx context.Context, t cookie.Transfer) (any, error) { return s.Transfer(ctx, t) })))
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

// closeBrowser closes the browser and waits until it is gone.
func (k *keeper) closeBrowser(ctx context.Context) (exitCode int, err error) {
	k.stop()
	if !k.browser.gone(ctx) {
		return 0, ctx.Err()
	}
	return k.browser.exitCode, nil
}
