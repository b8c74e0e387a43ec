package gate

import (
	"context"
	"sync"

	"cove/internal/gate/method"
)

// check refuses a command because of its parameters, or adds the further rights that they need.
type check func(*command, context.Context) error

// checkOf returns the check of a method of a kind. It returns nil if the parameters do not matter.
func checkOf(name string, kind method.Kind) check {
	switch one := checks()[name]; {
	case one != nil:
		return one
	case kind == method.Emulation:
		return (*command).checkEmulation
	case kind == method.Download:
		return (*command).checkDownload
	}

	return nil
}

// checks returns the check of each method whose parameters matter.
var checks = sync.OnceValue(func() map[string]check {
	return map[string]check{
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
})
