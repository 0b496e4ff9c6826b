"""One call of a library misbehaves (shim.c). Its rows say what happened and have no numbers; every other row is
measured."""

import os
import time

import harness

ALL, ENCRYPT, DECRYPT = "", "/encrypt/", "/decrypt/"
AES, CHACHA = "aes-256-gcm", "chacha20-poly1305"
# A library that decrypts wrongly what it encrypted wrongly is caught in one of two ways.
NO_DECRYPTION = r"refused what its own|is not the message that was put in"


class FaultTest(harness.ProgramTest):
    library = ""

    def run_faulty(self, call, fault, *options):
        started = time.monotonic()
        env = {"LD_PRELOAD": harness.SHIM, "CB_SHIM_CALL": call, "CB_SHIM_FAULT": fault}
        sizes = () if "-s" in options else ("-s", "64")
        done = self.run_program(*harness.QUICK, "-f", "json", *sizes, *options, env=env)
        self.assertLess(time.monotonic() - started, 20)
        return done

    def check(self, call, fault, expected, *options):
        """expected: what an id has to contain -> (status, message); the first that fits counts."""
        done = self.run_faulty(call, fault, *options)
        self.assertEqual(done.code, 1, done)
        result = done.json()
        self.assertTrue(result["complete"])
        rows = result["results"]
        self.assertGreaterEqual({row["contestant"] for row in rows}, {"openssl", "libsodium"})
        unused = set(expected)
        for row in rows:
            part = next((p for p in expected if p in row["id"] and row["contestant"] == self.library), None)
            unused.discard(part)
            # A CPU may lack what a row needs; then there is nothing that the fault could touch.
            if row["status"] != "unsupported":
                if part is None:
                    self.assert_measured(row)
                else:
                    self.assert_failed(row, *expected[part])
        self.assertEqual(unused, set(), "no such rows")
        self.check_comparisons(result)

    def check_comparisons(self, result):
        measured = {(row["id"], row["contestant"]) for row in result["results"] if row["status"] == "ok"}
        for comparison in result["comparisons"]:
            for side in ("contestant", "reference"):
                self.assertIn((comparison["id"], comparison[side]), measured)


class OpensslFaults(FaultTest):
    library = "openssl"

    def test_crash_in_every_call(self):
        self.check("EVP_EncryptUpdate", "segv", {ALL: ("crashed", "^SIGSEGV during preparation")})

    def test_crash_during_timing(self):
        self.check("EVP_DecryptUpdate", "segv:2000", {DECRYPT: ("crashed", "^SIGSEGV during timing")})

    def test_abort(self):
        self.check("EVP_CipherInit_ex2", "abort", {ALL: ("crashed", "^SIGABRT during preparation")})

    def test_exit(self):
        self.check("EVP_EncryptInit_ex2", "exit", {ALL: ("crashed", "^exited with status 0 during preparation")})

    def test_exit_during_timing(self):
        self.check("EVP_EncryptFinal_ex", "exit:2000",
                   {ENCRYPT: ("crashed", "^exited with status 0 during timing")}, "--op", "encrypt")

    def test_kill(self):
        self.check("EVP_DecryptFinal_ex", "kill", {DECRYPT: ("crashed", "^SIGKILL during preparation")})

    def test_hang(self):
        self.check("EVP_EncryptFinal_ex", "hang",
                   {ALL: ("timeout", r"^no answer for 1 s during preparation \(--timeout\)")},
                   "--timeout", "1", "-p", AES)

    def test_endless_loop_during_timing(self):
        self.check("EVP_DecryptFinal_ex", "spin:2000",
                   {DECRYPT: ("timeout", r"^no answer for 1 s during timing \(--timeout\)")},
                   "--timeout", "1", "--op", "decrypt", "-p", CHACHA)

    def test_library_that_hung_gets_a_second_from_then_on(self):
        self.check("EVP_DecryptFinal_ex", "hang", {
            CHACHA + "/decrypt/64": ("timeout", "^no answer for 2 s during preparation"),
            CHACHA + "/decrypt/1024": ("timeout", "^no answer for 1 s during preparation"),
        }, "--timeout", "2", "-p", CHACHA, "--op", "decrypt", "-s", "64,1K")

    def test_failure(self):
        self.check("EVP_EncryptUpdate", "fail", {ALL: ("library_error", "(failed|/encrypt): OpenSSL")})

    def test_failure_during_timing(self):
        self.check("EVP_DecryptUpdate", "fail:2000",
                   {DECRYPT: ("library_error", r"^call \d+ during timing failed: OpenSSL")})

    def test_failure_of_the_fetch(self):
        self.check("EVP_CIPHER_fetch", "fail", {ALL: ("library_error", "^OpenSSL")})

    def test_failure_of_the_key(self):
        self.check("EVP_CipherInit_ex2", "fail", {ALL: ("library_error", "^OpenSSL")})

    def test_failure_of_the_tag(self):
        self.check("EVP_CIPHER_CTX_ctrl", "fail", {ALL: ("library_error", "(failed|/encrypt): OpenSSL")})

    def test_refusal_of_valid_input(self):
        self.check("EVP_DecryptFinal_ex", "fail", {DECRYPT: ("library_error", "refused what its own")})

    def test_acceptance_of_a_forgery(self):
        self.check("EVP_DecryptFinal_ex", "accept", {DECRYPT: ("wrong_output", "^accepts a forgery of ")})

    def test_wrong_ciphertext(self):
        self.check("EVP_EncryptUpdate", "flip",
                   {ENCRYPT: ("wrong_output", "published"), DECRYPT: ("library_error", NO_DECRYPTION)})

    def test_rarely_wrong_ciphertext(self):
        self.check("EVP_EncryptUpdate", "flip:50",
                   {ENCRYPT: ("wrong_output", r"^its output of slot \d+ differs from that of ")}, "--op", "encrypt")

    def test_wrong_plaintext(self):
        self.check("EVP_DecryptUpdate", "flip", {DECRYPT: ("wrong_output", "published")})

    def test_short_output(self):
        self.check("EVP_EncryptUpdate", "short", {ALL: ("library_error", "(failed|/encrypt): OpenSSL")})


class LibsodiumFaults(FaultTest):
    library = "libsodium"
    aes_encrypt = "crypto_aead_aes256gcm_encrypt_detached_afternm"
    aes_decrypt = "crypto_aead_aes256gcm_decrypt_detached_afternm"
    chacha_encrypt = "crypto_aead_chacha20poly1305_ietf_encrypt_detached"
    chacha_decrypt = "crypto_aead_chacha20poly1305_ietf_decrypt_detached"

    def test_crash_in_every_call(self):
        self.check(self.chacha_encrypt, "segv", {CHACHA: ("crashed", "^SIGSEGV during preparation")})

    def test_abort_during_timing(self):
        self.check(self.aes_decrypt, "abort:2000", {AES + DECRYPT: ("crashed", "^SIGABRT during timing")})

    def test_hang(self):
        self.check(self.aes_encrypt, "hang", {AES: ("timeout", "^no answer for 1 s during preparation")},
                   "--timeout", "1", "--op", "encrypt")

    def test_failure(self):
        self.check(self.aes_encrypt, "fail", {AES: ("library_error", "libsodium returned -1$")})

    def test_failure_during_timing(self):
        self.check(self.chacha_encrypt, "fail:2000",
                   {CHACHA + ENCRYPT: ("library_error", r"^call \d+ during timing failed: libsodium returned -1")},
                   "--op", "encrypt")

    def test_refusal_of_valid_input(self):
        self.check(self.chacha_decrypt, "fail", {CHACHA + DECRYPT: ("library_error", "refused what its own")})

    def test_acceptance_of_a_forgery(self):
        self.check(self.aes_decrypt, "accept", {AES + DECRYPT: ("wrong_output", "^accepts a forgery of ")})
        self.check(self.chacha_decrypt, "accept", {CHACHA + DECRYPT: ("wrong_output", "^accepts a forgery of ")})

    def test_wrong_ciphertext(self):
        self.check(self.aes_encrypt, "flip", {AES + ENCRYPT: ("wrong_output", "published"),
                                              AES + DECRYPT: ("library_error", NO_DECRYPTION)})

    def test_rarely_wrong_ciphertext(self):
        self.check(self.chacha_encrypt, "flip:50",
                   {CHACHA + ENCRYPT: ("wrong_output", r"^its output of slot \d+ differs from that of ")},
                   "--op", "encrypt")

    def test_wrong_plaintext(self):
        self.check(self.chacha_decrypt, "flip", {CHACHA + DECRYPT: ("wrong_output", "published")})

    def test_short_output(self):
        self.check(self.chacha_encrypt, "short", {CHACHA: ("wrong_output", "wrong length|bytes instead of")})

    def test_failure_to_start(self):
        self.check("sodium_init", "fail", {ALL: ("library_error", "^sodium_init failed")})

    def test_crash_on_starting(self):
        self.check("sodium_init", "abort", {ALL: ("crashed", "^SIGABRT during loading")})

    def test_hang_on_starting(self):
        self.check("sodium_init", "hang", {ALL: ("timeout", "^no answer for 1 s during loading")}, "--timeout", "1")


class WritingFaults(harness.ProgramTest):
    """The last steps of writing a file fail: the file of that name stays what it was."""

    old = '{"schema":"crypto_bench/1"}\n'

    def run_writing(self, call, fault):
        self.put("r.json", self.old)
        env = {"LD_PRELOAD": harness.SHIM, "CB_SHIM_CALL": call, "CB_SHIM_FAULT": fault}
        return self.run_program(*harness.QUICK, "-s", "64", "-p", CHACHA, "--op", "encrypt", "-o", "r.json", env=env)

    def check_failure(self, call):
        done = self.run_writing(call, "fail")
        self.assertEqual(done.code, 3, done)
        self.assertRegex(done.err, r"^crypto_bench: cannot write .*r\.json: Input/output error\n$")
        self.assertEqual(self.read("r.json"), self.old)
        self.assertEqual(os.listdir(self.folder), ["r.json"])
        self.assertIn("64 B", done.out, "the table is printed all the same")

    def test_sync_fails(self):
        self.check_failure("fsync")

    def test_rename_fails(self):
        self.check_failure("rename")

    def test_killed_while_writing(self):
        for call in ("fsync", "rename"):
            done = self.run_writing(call, "kill")
            self.assertEqual(done.code, -9, done)
            self.assertEqual(self.read("r.json"), self.old)


if __name__ == "__main__":
    harness.main()
