package gate

import (
	"context"
	"sync"

	"cove/internal/gate/method"
)

// rule is what a method needs where the policy binds programs.
type rule struct {
	method.Rule
	// check finds out which further rights the parameters need.
	check func(*command, context.Context) error
	// redaction removes secrets from the answer.
	redaction redaction
}

// methods returns the rule of each method that package method lists. A method that is in no list counts as one that
// acts, and is refused where the policy binds programs.
var methods = sync.OnceValue(func() map[string]rule {
	all, checked, redacts := map[string]rule{}, checks(), redactions()
	for name, listed := range method.Rules() {
		r := rule{Rule: listed, check: checked[name], redaction: redacts[name]}
		switch {
		case r.check != nil:
		case listed.Kind == method.Emulation:
			r.check = (*command).checkEmulation
		case listed.Kind == method.Download:
			r.check = (*command).checkDownload
		}
		all[name] = r
	}

	return all
})

// checks returns the check of each method whose parameters matter.
func checks() map[string]func(*command, context.Context) error {
	return map[string]func(*command, context.Context) error{
		"Page.navigate":                         (*command).checkNavigate,
		"Target.createTarget":                   (*command).checkNavigate,
		"Page.navigateToHistoryEntry":           (*command).checkHistory,
		"Page.reload":                           (*command).checkReload,
		"Page.captureScreenshot":                (*command).checkScreenshot,
		"Page.addScriptToEvaluateOnNewDocument": (*command).checkNewDocumentScript,
		"Fetch.continueRequest":                 (*command).checkContinueRequest,
		"Target.setAutoAttach":                  (*command).checkAutoAttach,
		"Target.attachToTarget":                 (*command).checkAttach,
		"Target.createBrowserContext":           (*command).checkBrowserContext,
		"Input.dispatchDragEvent":               (*command).checkDrag,
		"DOM.setFileInputFiles":                 (*command).checkUpload,
		"Input.dispatchMouseEvent":              (*command).checkPress,
		"Input.dispatchTouchEvent":              (*command).checkPress,
		"Input.emulateTouchFromMouseEvent":      (*command).checkPress,
		"Input.synthesizeTapGesture":            (*command).checkPress,
		"Input.dispatchKeyEvent":                (*command).checkKey,
		"Input.insertText":                      (*command).checkText,
		"Input.imeSetComposition":               (*command).checkText,
		"WebMCP.invokeTool":                     (*command).checkPageTool,
		"WebMCP.cancelInvocation":               (*command).checkCancelTool,
		"Network.replayXHR":                     (*command).checkReplay,
		"Network.setCacheDisabled":              (*command).checkCache,
		"DOM.querySelector":                     (*command).checkSelector,
		"DOM.querySelectorAll":                  (*command).checkSelector,
		"Network.getCookies":                    (*command).checkCookies,
		"Network.getAllCookies":                 (*command).checkCookies,
		"Storage.getCookies":                    (*command).checkCookies,
	}
}

// redactions returns the redaction of each method whose answer can contain secrets.
func redactions() map[string]redaction {
	return map[string]redaction{
		"Network.getCookies":          redactHeaders,
		"Network.getAllCookies":       redactHeaders,
		"Storage.getCookies":          redactHeaders,
		"Target.getTargets":           hideExtensions,
		"DOM.getDocument":             redactTree,
		"DOM.describeNode":            redactNode,
		"DOM.getAttributes":           redactAttributes,
		"DOMSnapshot.captureSnapshot": redactSnapshot,
	}
}
