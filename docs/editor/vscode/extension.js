// Starts `tcgen05 lsp`, and gives its commands the file of the active editor.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async (context) => {
  const [command, ...args] = workspace.getConfiguration("tcgen05").get("command");
  const selector = ["mlir", "ptx", "llvm"].map((language) => ({ language }));
  client = new LanguageClient("tcgen05", { command, args }, { documentSelector: selector });
  for (const [own, asked] of [
    ["tcgen05.checkFile", "tcgen05.check"],
    ["tcgen05.fixFile", "tcgen05.fixAll"],
  ]) {
    context.subscriptions.push(
      commands.registerCommand(own, () => {
        const uri = window.activeTextEditor?.document.uri.toString();
        return uri && commands.executeCommand(asked, uri);
      }),
    );
  }
  await client.start();
};

exports.deactivate = () => client?.stop();
