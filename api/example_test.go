package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"cove/api"
	"cove/internal/fault"
)

// Open a profile for a script, and connect to its browser.
func ExampleClient() {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1.0/browser_profiles/1/start" {
			_, _ = fmt.Fprint(w, `{"success":true,"automation":{"port":9222,"webSocketDebuggerUrl":"ws://127.0.0.1:9222/x"}}`)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"success":false,"errorObject":{"type":"not_found","code":"E_NOT_FOUND",`+
			`"text":"There is no profile 7.","hint":"See them with: cove profile list"}}`)
	}))
	defer app.Close()

	client := &api.Client{Base: app.URL, Token: "cove_…"} // the base of an app is http://127.0.0.1:3001
	started, err := client.Start(context.Background(), 1, api.StartOptions{Automation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(started.Automation.WebSocketDebuggerURL)

	// A refusal has a code, a sentence and a hint.
	_, err = client.Profiles().Get(context.Background(), 7)
	var failure *api.Failure
	if errors.As(err, &failure) {
		fmt.Println(failure.Status, failure.Body.ErrorObject.Code == fault.CodeNotFound, err)
	}
	// Output:
	// ws://127.0.0.1:9222/x
	// 404 true There is no profile 7.
}
