package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"cove/api"
)

func TestAPolicyIsTestedAtItsRoute(t *testing.T) {
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/v1.0/policy/test" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		_, _ = w.Write([]byte(`{"data":{"answer":"yes"}}`))
	}))
	defer app.Close()

	client := &api.Client{Base: app.URL}
	out, err := client.TestPolicy(t.Context(), api.PolicyTest{})
	if err != nil || out.Data.Answer != "yes" {
		t.Errorf("%+v, %v", out, err)
	}
}
