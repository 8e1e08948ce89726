/// The argument parser's completion scripts, changed so that they know of the default subcommand: they would offer
/// nothing but subcommands before `join` is typed.
enum CompletionScript {
    private static let program = "fliptransition"

    /// Whether the command line asks for such a script.
    static let isAskedFor = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains {
        $0.hasPrefix("--generate-completion-script")
    }

    /// Whether the command line asks for something that has to know of the commands that help doesn't list: a script, or
    /// the description from which man pages are made.
    static let needsAllCommands =
        isAskedFor || CommandLine.arguments.dropFirst().contains("--experimental-dump-help")

    /// `script` with the default subcommand.
    static func completed(_ script: String) -> String {
        if script.hasPrefix("#compdef") { return zsh(script) }
        return script.hasPrefix("#!/bin/bash") ? bash(script) : fish(script)
    }

    private static func names(_ separator: String) -> String {
        let names = FlipTransitionCommand.configuration.subcommands.flatMap { $0.names }
        return (names + ["help"]).joined(separator: separator)
    }

    private static var standard: String { JoinCommand.configuration.commandName ?? "" }

    /// The function that completes gets another one around it, which inserts `join` into the words.
    private static func bash(_ script: String) -> String {
        let call = "complete -o filenames -F _\(program) \(program)"
        let wrapper = """
            # Without a subcommand, what \(standard) takes is offered, too.
            __\(program)_with_default() {
                case "${COMP_WORDS[1]}" in
                \(names("|")))
                    if [[ "${COMP_CWORD}" -gt 1 ]]; then
                        _\(program) "${@}"
                        return
                    fi
                    ;;
                esac

                [[ "${COMP_CWORD}" -gt 1 ]] || _\(program) "${@}"
                COMP_LINE="${COMP_WORDS[0]} \(standard)${COMP_LINE#"${COMP_WORDS[0]}"}"
                COMP_POINT="$((COMP_POINT + \(standard.count + 1)))"
                COMP_WORDS=("${COMP_WORDS[0]}" \(standard) "${COMP_WORDS[@]:1}")
                COMP_CWORD="$((COMP_CWORD + 1))"
                _\(program) "${@}"
            }

            complete -o filenames -F __\(program)_with_default \(program)
            """
        return script.replacing(call, with: wrapper)
    }

    /// A function under the old name takes the place of the parser's.
    private static func zsh(_ script: String) -> String {
        let inner = "__\(program)_with_subcommand"
        let wrapper = """
            # Without a subcommand, what \(standard) takes is offered, too.
            _\(program)() {
                local -i ret=1
                if (( CURRENT == 2 )); then
                    \(inner) "${@}" && ret=0
                elif [[ "${words[2]}" == (\(names("|"))) ]]; then
                    \(inner) "${@}"
                    return
                fi
                words=("${words[1]}" \(standard) "${(@)words[2,-1]}")
                (( CURRENT++ ))
                \(inner) "${@}" && ret=0
                return "${ret}"
            }


            """
        let last = "if [[ \"${funcstack[1]}\" = _\(program) ]]; then"
        return script.replacing("\n_\(program)() {\n", with: "\n\(inner)() {\n", maxReplacements: 1)
            .replacing(last, with: wrapper + last)
    }

    /// The tokens that the parser's functions see get `join` inserted.
    private static func fish(_ script: String) -> String {
        script + """


            # Without a subcommand, what \(standard) takes is offered, too.
            functions --copy __\(program)_tokens __\(program)_typed_tokens
            function __\(program)_tokens
                set -l tokens (__\(program)_typed_tokens $argv)
                if set -q tokens[2]; and not contains -- $tokens[2] \(names(" "))
                    set tokens $tokens[1] \(standard) $tokens[2..]
                end
                string join \\n -- $tokens
            end
            complete -c '\(program)' -n 'test (count (__\(program)_typed_tokens -pc)) -eq 1' -F
            """
    }
}
