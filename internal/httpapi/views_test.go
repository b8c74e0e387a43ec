package httpapi

import (
	"strings"
	"testing"
)

func TestViewsThroughTheAPI(t *testing.T) {
	o := newOffice(t)
	want := func(status int, method, path, body, has string) {
		t.Helper()
		got, _, answer := o.send(o.token, method, path, body)
		if got != status || !strings.Contains(answer, has) {
			t.Errorf("%s %s %s: %d %s", method, path, body, got, answer)
		}
	}
	want(200, "GET", "/views", "", `{"data":[]}`)
	want(200, "POST", "/views", `{"name":" Shops ","address":"/?tag=shop"}`, `"data":{"id":1,"name":"Shops"`)
	want(409, "POST", "/views", `{"name":"shops","address":"/"}`, "E_EXISTS")
	want(200, "PATCH", "/views/1", `{"name":"Stores"}`, `"address":"/?tag=shop"`)
	want(404, "PATCH", "/views/9", `{"name":"Stores"}`, "E_NOT_FOUND")
	want(200, "GET", "/views", "", `"name":"Stores"`)
	o.wants("name", "POST", "/views", `{"address":"/"}`)
	o.wants("address", "POST", "/views", `{"name":"x"}`)
	o.wants("address", "PATCH", "/views/1", `{"address":"https://elsewhere.example"}`)
	o.want(401, "E_UNAUTHORIZED", "", "GET", "/views", "")
	want(200, "DELETE", "/views/1", "", `"success":true`)
	want(404, "DELETE", "/views/1", "", "E_NOT_FOUND")
}
